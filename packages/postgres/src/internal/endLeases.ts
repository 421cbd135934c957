/** Lets every lease run out. */
import { Effect } from "effect"
import { Database } from "./Database.ts"

/** Only where no other process can hold one: the one who held one here is gone. */
export const endLeases = Effect.gen(function*() {
  const { our, sql } = yield* Database
  yield* sql`UPDATE ${our("jobs")} SET lease_until = clock_timestamp() WHERE status = 'running'`
})
