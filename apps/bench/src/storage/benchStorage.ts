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

/** One database after the other; a minute of silence would look like a fault. */
const measure = Effect.fnUntraced(function*(name: string) {
  printTable(LOOKUP_HEAD, [yield* lookupCost(name)])
  print("")
  printTable(CATCH_UP_HEAD, [yield* catchUpCost(name)])
  print("")
  printTable(INGEST_HEAD, yield* ingestRates(name))
  print("")
})

export const benchStorage = async (): Promise<void> => {
  printLoad()
  const scope = Scope.makeUnsafe()
  const url = await Effect.runPromise(Effect.provideService(postgresUrl, Scope.Scope, scope))
  try {
    await Effect.runPromise(Effect.scoped(Effect.provide(measure("Postgres"), pool(url))))
    await Effect.runPromise(Effect.scoped(Effect.provide(measure("PGlite"), embedded(true))))
    await Effect.runPromise(Effect.scoped(Effect.provide(measure("PGlite, not durable"), embedded(false))))
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
