/** What an operator named and a store does not have. */
import { Effect, type Option } from "effect"
import { NotFound } from "../model/Error.ts"

export const absent = <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
  Effect.fromOption(found, () => new NotFound())
