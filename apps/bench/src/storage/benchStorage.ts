/** The cost of ingest, search and start on each kind of storage. */
import { Effect, Exit, Scope } from "effect"
import { print, printLoad, printTable } from "../print.ts"
import { benchCatchingUp } from "./catchingUp.ts"
import { dropSchemas, postgresUrl, SCHEMA } from "./databases.ts"
import { INGEST_HEAD, ingestRates } from "./ingest.ts"
import { LOOKUP_HEAD, lookupCost } from "./lookups.ts"
import { benchNodes } from "./nodes.ts"
import { benchRebuilding } from "./rebuilding.ts"
import { benchRequests } from "./requests.ts"
import { benchStart } from "./start.ts"
import { type MeasuredStore, postgresStore, sqliteStore } from "./stores.ts"
import { benchTurns } from "./turns.ts"

const SERVERS = `${SCHEMA}_servers`

type Rows = ReadonlyArray<ReadonlyArray<string>>

/** Measures one store after the other, with progress lines. */
const onEach =
  <E>(head: ReadonlyArray<string>, rowsOf: (store: MeasuredStore) => Effect.Effect<Rows, E>) =>
  async (url: string): Promise<void> => {
    const stores = [postgresStore(url), sqliteStore("SQLite", true), sqliteStore("SQLite, not durable", false)]
    for (const open of stores) {
      const rows = await Effect.runPromise(Effect.scoped(Effect.flatMap(open, rowsOf)))
      printTable(head, rows)
    }
  }

const PARTS: ReadonlyMap<string, (url: string, schema: string) => Promise<void>> = new Map([
  ["lookups", onEach(LOOKUP_HEAD, (store) => Effect.map(lookupCost(store), (row) => [row]))],
  ["requests", benchRequests],
  ["catching-up", benchCatchingUp],
  ["ingest", onEach(INGEST_HEAD, ingestRates)],
  ["rebuilding", benchRebuilding],
  ["nodes", benchNodes],
  ["start", benchStart],
  ["turns", benchTurns]
])

/** Parts that can be run alone. */
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
