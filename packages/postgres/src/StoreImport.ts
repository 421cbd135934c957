/**
 * Fills an empty store with what another one exported, of whatever kind: all of it or nothing, in one transaction.
 */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { NewJob } from "@tributary/core/ports/JobStore"
import { Clock, Effect, Stream } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql"
import { ImportRefused } from "./ImportRefused.ts"
import { Database } from "./internal/Database.ts"
import { type Batch, readBatches } from "./internal/transferFormat.ts"
import { transferredTables } from "./internal/transferredTables.ts"
import type { UnsupportedDatabase } from "./UnsupportedDatabase.ts"

export interface ImportOptions {
  /** The schema that the tables live in. `tributary` by default. */
  readonly schema?: string
  /** What `exportStore` wrote, line by line. */
  readonly lines: AsyncIterable<string>
  /** The job that builds a workspace's context; it is queued for every workspace with the import. */
  readonly buildJob: (workspaceId: WorkspaceId, now: number) => NewJob
}

/** How many rows of each table were read. */
export type Imported = Readonly<Record<string, number>>

const batchesOf = (lines: AsyncIterable<string>): Stream.Stream<Batch, ImportRefused> =>
  Stream.fromAsyncIterable(readBatches(lines), (error) => {
    if (error instanceof ImportRefused) return error
    throw error
  })

/** Reads all lines and changes nothing. */
export const verifyExport = (lines: AsyncIterable<string>): Effect.Effect<void, ImportRefused> =>
  Stream.runDrain(batchesOf(lines))

/** Of a value that is not what its column takes, or a row that there is already. */
const isUnfit = ({ reason: { cause } }: SqlError.SqlError): boolean =>
  cause instanceof Error && "code" in cause && /^2[23]/.test(String(cause.code))

const copy = ({ buildJob, lines }: ImportOptions) =>
  Effect.gen(function*() {
    const { our, sql } = yield* Database
    const counts: Record<string, number> = Object.fromEntries(transferredTables.map(({ name }) => [name, 0]))

    // Nobody opens an account or a workspace between the look and the end.
    yield* sql`LOCK TABLE ${our("accounts")}, ${our("workspaces")} IN SHARE ROW EXCLUSIVE MODE`.unprepared
    yield* Effect.forEach(transferredTables, ({ name }) =>
      Effect.flatMap(
        sql<{ readonly used: boolean }>`SELECT EXISTS (SELECT FROM ${our(name)}) AS used`,
        ([row]) =>
          row?.used === true
            ? Effect.fail(
              new ImportRefused({
                message:
                  "The store is not empty, and an import fills empty ones only. Choose another data directory, " +
                  "database or schema."
              })
            )
            : Effect.void
      ), { discard: true })

    const insert = Effect.fnUntraced(function*({ columns, rows, table: { name } }: Batch) {
      const names = sql.literal(columns.map((column) => `"${column}"`).join(", "))
      yield* sql`INSERT INTO ${our(name)} (${names}) SELECT ${names}
        FROM json_populate_recordset(NULL::${our(name)}, ${`[${rows.join(",")}]`}::text::json)`
      counts[name]! += rows.length
    })
    yield* Stream.runForEach(batchesOf(lines), insert)

    const now = yield* Clock.currentTimeMillis
    const workspaces = yield* sql<{ readonly id: WorkspaceId }>`SELECT workspace_id::text AS id
      FROM ${our("workspaces")} ORDER BY workspace_id`
    yield* Effect.forEach(
      workspaces,
      ({ id }) => sql`SELECT ${our("enqueue")}(${JSON.stringify(buildJob(id, now))}::text::jsonb, NULL)::text`,
      { discard: true }
    )
    return counts as Imported
  })

/** On a schema that is up to date. */
export const importStore = (
  options: ImportOptions
): Effect.Effect<Imported, ImportRefused | SqlError.SqlError | UnsupportedDatabase, SqlClient> =>
  Effect.flatMap(SqlClient, (sql) => sql.withTransaction(copy(options))).pipe(
    Effect.provide(Database.layer(options.schema ?? "tributary")),
    Effect.catchIf(
      (error) => error._tag === "SqlError" && isUnfit(error),
      () => Effect.fail(new ImportRefused({ message: "The file holds what no store has. Nothing was imported." }))
    )
  )
