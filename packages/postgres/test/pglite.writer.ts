/** A process of its own: opens the data directory it is given, and writes row after row, saying which are acknowledged. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { PgliteClient } from "../src/pglite/index.ts"

const [dataDir = ""] = process.argv.slice(2)

const say = (line: string) =>
  Effect.callback<void>((resume) => {
    process.stdout.write(`${line}\n`, () => resume(Effect.void))
  })

const write = Effect.gen(function*() {
  const sql = yield* SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS written (n int PRIMARY KEY, body text NOT NULL)`
  yield* say("open")
  for (let n = 1;; n++) {
    yield* sql`INSERT INTO written VALUES (${n}, ${"x".repeat(500)})`
    yield* say(String(n))
  }
})

await Effect.runPromise(
  write.pipe(
    Effect.provide(PgliteClient.layer({ dataDir })),
    Effect.catch((error) => Effect.andThen(say(error.message), Effect.sync(() => process.exit(1))))
  )
)
