/** The fencing token of a write, as it is now: leases are checked by this process's clock. */
import type { FencingToken } from "@tributary/core/ports/JobStore"
import { Clock, Effect } from "effect"
import type { TimedFencingToken } from "../writes/jobs.ts"

export const timed = <A, E>(
  fencingToken: FencingToken | undefined,
  write: (fencingToken: TimedFencingToken | undefined) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.flatMap(Clock.currentTimeMillis, (millis) => write(fencingToken && { ...fencingToken, millis }))
