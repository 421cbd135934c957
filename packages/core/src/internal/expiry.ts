/** Checks the expiry of a new credential. One in the past is a mistake: a wrong year or time zone. */
import { Effect } from "effect"
import { InvalidField } from "../model/Error.ts"

export const expiryOf = (
  { expires_at = null }: { readonly expires_at?: Date | null },
  now: number
): Effect.Effect<Date | null, InvalidField> =>
  expires_at === null || expires_at.getTime() > now
    ? Effect.succeed(expires_at)
    : Effect.fail(
      new InvalidField({
        field: "expires_at",
        // The text as sent is not known here, and the same moment in other words is not what was sent.
        input: undefined,
        type: "value_error",
        message: "Value error, must be in the future"
      })
    )
