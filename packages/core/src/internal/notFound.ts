/** An id that the store does not know becomes `not_found`. */
import { Effect, type Option } from "effect"
import { NotFound } from "../model/Error.ts"

export const orNotFound = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
  Effect.fromOption(found, () => new NotFound())
