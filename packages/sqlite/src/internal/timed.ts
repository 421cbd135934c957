/** The tenure of a write, as it is now: leases are checked by this process's clock. */
import type { Tenure } from "@tributary/core/ports/JobStore"
import { Clock, Effect } from "effect"
import type { TimedTenure } from "../writes/jobs.ts"

export const timed = <A, E>(
  tenure: Tenure | undefined,
  write: (tenure: TimedTenure | undefined) => Effect.Effect<A, E>
): Effect.Effect<A, E> => Effect.flatMap(Clock.currentTimeMillis, (millis) => write(tenure && { ...tenure, millis }))
