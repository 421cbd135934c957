import { Effect } from "effect"
import { ingestRates, printIngestRates } from "./ingest.ts"
import { embedded, pool } from "./databases.ts"
const rows = process.argv[2] === "pglite"
 ? await Effect.runPromise(ingestRates("pglite").pipe(Effect.provide(embedded(true)), Effect.scoped) as any)
 : await Effect.runPromise(ingestRates("postgres").pipe(Effect.provide(pool("postgres://postgres@127.0.0.1:5432/test"))) as any)
printIngestRates(rows as any)
