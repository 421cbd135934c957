/** Background work continues after storage failures and defects, but not after an interruption. */
import { Effect, Option } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"

/** None after a failure. */
export const keepRunning = <A, R>(
  task: Effect.Effect<A, StorageUnavailable, R>
): Effect.Effect<Option.Option<A>, never, R> =>
  task.pipe(
    Effect.asSome,
    Effect.catch(() => Effect.succeedNone),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("background work failed", defect), Option.none()))
  )
