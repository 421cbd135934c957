/** Fills an empty store with an export of another one, of any kind: all of it or nothing, in one transaction. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { ImportRefused } from "@tributary/core/transfer/ImportRefused"
import * as Format from "@tributary/core/transfer/TransferFormat"
import { transferredTables } from "@tributary/core/transfer/transferredTables"
import { Clock, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql"
import { Database } from "./internal/Database.ts"
import { MAX_SLICE } from "./internal/documents/admissionArrays.ts"
import { beginAcrossWorkspaces } from "./internal/RowSecurity.ts"
import { inTransaction } from "./internal/storageErrors.ts"
import { nameMakers } from "./migrations/makers.ts"
import { proveStored } from "./migrations/proofs.ts"
import type { PostgresOptions } from "./Postgres.ts"
import type { UnsupportedDatabase } from "./UnsupportedDatabase.ts"

type ImportOptions = Format.ImportOptions & Pick<PostgresOptions, "schema" | "systemRole">

/** A value that its column does not take, or a row that is already present. */
const isUnfit = ({ reason: { cause } }: SqlError.SqlError): boolean =>
  cause instanceof Error && "code" in cause && /^2[23]/.test(String(cause.code))

const copy = ({ buildJob, lines }: ImportOptions) =>
  Effect.gen(function*() {
    const { our, schema, sql } = yield* Database
    const counts: Record<string, number> = Object.fromEntries(transferredTables.map(({ name }) => [name, 0]))

    yield* beginAcrossWorkspaces
    // Blocks new accounts and workspaces between the check and the end.
    yield* sql`LOCK TABLE ${our("accounts")}, ${our("workspaces")} IN SHARE ROW EXCLUSIVE MODE`.unprepared
    yield* Effect.forEach(transferredTables, ({ name }) =>
      Effect.flatMap(
        sql<{ readonly used: boolean }>`SELECT EXISTS (SELECT FROM ${our(name)}) AS used`,
        ([row]) =>
          row?.used === true
            ? Effect.fail(Format.storeNotEmpty())
            : Effect.void
      ), { discard: true })

    const present = yield* sql<{ readonly column: string }>`SELECT table_name || '.' || column_name AS column
      FROM information_schema.columns WHERE table_schema = ${schema}::text`
    const known = new Set(present.map(({ column }) => column))

    const insert = Effect.fnUntraced(function*({ columns, rows, table: { name } }: Format.Batch) {
      const unknown = columns.find((column) => !known.has(`${name}.${column}`))
      if (unknown !== undefined) return yield* Format.unknownColumn(name, unknown)
      const names = sql.literal(columns.map((column) => `"${column}"`).join(", "))
      const sent = sql`json_populate_recordset(NULL::${our(name)}, ${`[${rows.join(",")}]`}::text::json)`
      // Other storages keep a payload in one row, which may not fit into one message of the protocol.
      yield* name === "payloads"
        ? sql`INSERT INTO ${our(name)} (document_id, slice, text)
            SELECT r.document_id, r.slice + n, substr(r.text, 1 + n * ${MAX_SLICE}::integer, ${MAX_SLICE}::integer)
            FROM ${sent} r, generate_series(0, (length(r.text) - 1) / ${MAX_SLICE}::integer) n`
        : sql`INSERT INTO ${our(name)} (${names}) SELECT ${names} FROM ${sent}`
      counts[name]! += rows.length
    })
    yield* Stream.runForEach(Format.batchesOf(lines), insert)

    // An export of before has neither proofs nor makers.
    yield* Effect.forEach([...proveStored(`"${schema}"`), ...nameMakers(`"${schema}"`)], (statement) =>
      sql`${sql.literal(statement)}`, { discard: true })

    const now = yield* Clock.currentTimeMillis
    const workspaces = yield* sql<{ readonly id: WorkspaceId }>`SELECT workspace_id::text AS id
      FROM ${our("workspaces")} ORDER BY workspace_id`
    yield* Effect.forEach(
      workspaces,
      ({ id }) =>
        sql`SELECT ${our("enqueue")}(${JSON.stringify(buildJob(id, now))}::text::jsonb, NULL)::text`,
      { discard: true }
    )
    return counts as Format.RowCounts
  })

/** On a schema that is up to date. */
export const importStore = (
  options: ImportOptions
): Effect.Effect<Format.RowCounts, ImportRefused | SqlError.SqlError | UnsupportedDatabase, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => inTransaction(sql, copy(options))).pipe(
    Effect.provide(Database.layer(options.schema ?? "tributary", options.systemRole ?? null)),
    Effect.catchIf(
      (error) => error._tag === "SqlError" && isUnfit(error),
      () => Effect.fail(Format.unfitValues())
    )
  )
