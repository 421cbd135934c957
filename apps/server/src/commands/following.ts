/** Commands that follow what happens continue when the server restarts. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import type { UsageError } from "../UsageError.ts"

/** How often to look for what is new, and to connect again. */
const PAUSE = "2 seconds"

/** Repeats a round until it fails for good. What may pass is reported. */
export const following = <A, R>(round: Effect.Effect<A, UsageError, R>): Effect.Effect<never, UsageError, R> =>
  round.pipe(
    Effect.catchIf(({ isTransient }) => isTransient === true, ({ message }) => Console.error(message)),
    Effect.andThen(Effect.sleep(PAUSE)),
    Effect.forever
  )
