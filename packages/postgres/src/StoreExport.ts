/**
 * Exports a whole store as lines of text: accounts, workspaces, hashes of keys, connectors, documents, events, settings,
 * and jobs that were acknowledged. Search indexes are not exported; an import queues their builds.
 *
 * All lines show one moment, also while servers use the store: they are read in one transaction with one snapshot.
 */
import * as Format from "@tributary/core/transfer/TransferFormat"
import { type TransferredTable, transferredTables } from "@tributary/core/transfer/transferredTables"
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql"
import { SqlClient } from "effect/sql/SqlClient"
import { Database } from "./internal/Database.ts"
import { beginAcrossWorkspaces } from "./internal/RowSecurity.ts"
import { inTransaction } from "./internal/storageErrors.ts"
import { rowsInScope } from "./internal/transferredRows.ts"
import { migrations } from "./migrations/index.ts"
import type { PostgresOptions } from "./Postgres.ts"
import type { UnsupportedDatabase } from "./UnsupportedDatabase.ts"

type ExportOptions<E> = Format.ExportOptions<E> & Pick<PostgresOptions, "schema" | "systemRole">

const copy = <E>({ write }: ExportOptions<E>) =>
  Effect.gen(function*() {
    const { schema, sql } = yield* Database
    const quoted = `"${schema}"`
    const run = (statement: string) => sql.unsafe(statement).unprepared
    const from = ({ name, scope }: TransferredTable) => `FROM ${quoted}.${name} t WHERE ${rowsInScope[scope](quoted)}`
    // The first statement: the moment that all others see.
    yield* run("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    // A database may have settings of its own, under which others could not read what it writes.
    yield* run("SET LOCAL TIME ZONE 'UTC'")
    yield* run("SET LOCAL bytea_output = 'hex'")
    yield* run("SET LOCAL extra_float_digits = 1")
    yield* beginAcrossWorkspaces

    const counts = yield* Effect.forEach(transferredTables, (table) =>
      Effect.map(
        sql.unsafe<{ readonly rows: number }>(`SELECT count(*)::double precision AS rows ${from(table)}`).unprepared,
        ([row]) => row?.rows ?? 0
      ))
    const total = counts.reduce((sum, rows) => sum + rows, 0)
    let done = 0

    const page = Effect.fnUntraced(function*({ page }: TransferredTable) {
      const rows = (yield* run(`FETCH ${page} FROM transferred`)) as ReadonlyArray<{ readonly line: string }>
      done += rows.length
      if (rows.length > 0) yield* write(rows.map(({ line }) => `${line}\n`).join(""), done, total)
      return rows.length === page
    })

    // Tables without rows are not named, so that a lost row changes the structure of the file.
    const section = Effect.fnUntraced(function*(table: TransferredTable, rows: number) {
      if (rows === 0) return
      const columns = yield* sql<{ readonly name: string }>`SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = ${schema}::text AND table_name = ${table.name}::text ORDER BY ordinal_position`
      const head: typeof Format.Section.Type = { table: table.name, columns: columns.map(({ name }) => name), rows }
      yield* write(`${JSON.stringify(head)}\n`, done, total)
      yield* run(`DECLARE transferred NO SCROLL CURSOR FOR SELECT row_to_json(t)::text AS line ${from(table)}`)
      while (yield* page(table));
      yield* run("CLOSE transferred")
    })

    const head: Format.Head = {
      product: "tributary",
      format: Format.TRANSFER_FORMAT,
      migration: migrations.length,
      exported_at: new Date(yield* Clock.currentTimeMillis).toISOString(),
      rows: total
    }
    yield* write(`${JSON.stringify(head)}\n`, done, total)
    yield* Effect.forEach(transferredTables, (table, index) => section(table, counts[index]!), { discard: true })
    return Object.fromEntries(transferredTables.map(({ name }, index) => [name, counts[index]!]))
  })

/** On a schema that is up to date. */
export const exportStore = <E>(
  options: ExportOptions<E>
): Effect.Effect<Format.RowCounts, E | SqlError.SqlError | UnsupportedDatabase, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => inTransaction(sql, copy(options))).pipe(
    Effect.provide(Database.layer(options.schema ?? "tributary", options.systemRole ?? null))
  )
