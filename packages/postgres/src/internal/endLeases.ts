/** Lets every lease run out. */
import { Effect } from "effect"
import { Database } from "./Database.ts"

/** Use it only if no other process can hold a lease, because their holder in this process has ended. */
export const endLeases = Effect.gen(function*() {
  const { our, sql } = yield* Database
  yield* sql`UPDATE ${our("jobs")} SET lease_until = clock_timestamp() WHERE status = 'running'`
})
