/** What storing, finding and starting cost on a Postgres, and on the one within the process. */
import { Effect, Exit, type Layer, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { print, printLoad, printTable } from "../print.ts"
import { benchCatchingUp } from "./catchingUp.ts"
import { dropSchemas, pool, postgresUrl, SCHEMA } from "./databases.ts"
import { INGEST_HEAD, ingestRates } from "./ingest.ts"
import { LOOKUP_HEAD, lookupCost } from "./lookups.ts"
import { benchNodes } from "./nodes.ts"
import { benchRebuilding } from "./rebuilding.ts"
import { benchStart } from "./start.ts"

const SERVERS = `${SCHEMA}_servers`

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** On one database after the other; a minute of silence would look like a fault. */
const onEach =
  <E>(head: ReadonlyArray<string>, rowsOf: (name: string) => Effect.Effect<Rows, E, SqlClient.SqlClient>) =>
  async (url: string): Promise<void> => {
    const run = (name: string, database: Layer.Layer<SqlClient.SqlClient, unknown>) =>
      Effect.runPromise(Effect.scoped(Effect.provide(rowsOf(name), database))).then((rows) => printTable(head, rows))
    await run("Postgres", pool(url))
  }

const one = <E, R>(row: Effect.Effect<ReadonlyArray<string>, E, R>) => Effect.map(row, (cells) => [cells])

const PARTS: ReadonlyMap<string, (url: string, schema: string) => Promise<void>> = new Map([
  ["lookups", onEach(LOOKUP_HEAD, (name) => one(lookupCost(name)))],
  ["catching-up", benchCatchingUp],
  ["ingest", onEach(INGEST_HEAD, ingestRates)],
  ["rebuilding", benchRebuilding],
  ["nodes", benchNodes],
  ["start", benchStart]
])

/** Each may be run alone. */
export const STORAGE_PARTS: ReadonlyArray<string> = [...PARTS.keys()]

export const benchStorage = async (names: ReadonlyArray<string>): Promise<void> => {
  printLoad()
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(postgresUrl, Scope.Scope, scope))
  try {
    for (const [name, bench] of PARTS) {
      if (!names.includes(name)) continue
      await bench(url, `${SERVERS}_${names.indexOf(name)}`)
      print("")
    }
  } finally {
    await Effect.runPromise(dropSchemas(url, names.map((_, index) => `${SERVERS}_${index}`)))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  printLoad()
  print("")
}
