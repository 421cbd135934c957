/** Another server on the same database, as a connection whose transactions a test begins and ends. */
import { Effect } from "effect"
import { Pool } from "pg"
import { afterAll } from "vitest"
import { databaseUrl } from "./testServer.ts"

/** For the tests of one block. The effect connects until its scope closes, and returns what runs a statement. */
export const otherServer = () => {
  const pool = new Pool({ connectionString: databaseUrl ?? "" })
  afterAll(() => pool.end())
  const connected = Effect.acquireRelease(
    Effect.promise(() => pool.connect()),
    (client) => Effect.sync(() => client.release())
  )
  return Effect.map(
    connected,
    (client) => (statement: string, ...values: ReadonlyArray<unknown>) =>
      Effect.promise(() => client.query(statement, [...values]))
  )
}
