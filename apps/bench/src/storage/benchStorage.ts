/** What storing, finding and starting cost on a Postgres, and on the one within the process. */
import { Effect, Exit, Scope } from "effect"
import { print, printLoad, printTable } from "../print.ts"
import { CATCH_UP_HEAD, catchUpCost } from "./catchingUp.ts"
import { dropSchemas, embedded, pool, postgresUrl, SCHEMA } from "./databases.ts"
import { INGEST_HEAD, ingestRates } from "./ingest.ts"
import { LOOKUP_HEAD, lookupCost } from "./lookups.ts"
import { benchNodes } from "./nodes.ts"
import { benchStart } from "./start.ts"

const SERVERS = `${SCHEMA}_servers`

const onDatabase = (name: string) =>
  Effect.all({ lookups: lookupCost(name), searches: catchUpCost(name), rates: ingestRates(name) })

const measure = Effect.fnUntraced(function*(url: string) {
  const found = [
    yield* Effect.scoped(Effect.provide(onDatabase("Postgres"), pool(url))),
    yield* Effect.scoped(Effect.provide(onDatabase("PGlite"), embedded(true))),
    yield* Effect.scoped(Effect.provide(onDatabase("PGlite, not durable"), embedded(false)))
  ]
  printTable(INGEST_HEAD, found.flatMap(({ rates }) => rates))
  print("")
  printTable(LOOKUP_HEAD, found.map(({ lookups }) => lookups))
  print("")
  printTable(CATCH_UP_HEAD, found.map(({ searches }) => searches))
  print("")
})

export const benchStorage = async (): Promise<void> => {
  printLoad()
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(postgresUrl, Scope.Scope, scope))
  try {
    await Effect.runPromise(measure(url))
    await benchNodes(url, SERVERS)
    print("")
    await benchStart(url, `${SERVERS}_start`)
  } finally {
    await Effect.runPromise(dropSchemas(url, [SERVERS, `${SERVERS}_start`]))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  printLoad()
  print("")
}
