/** What an operator or a person named and the store does not have becomes `not_found`. */
import { Effect, type Option } from "effect"
import { NotFound } from "../model/Error.ts"

type Named = "account" | "API key" | "identity provider" | "invitation" | "operator" | "session" | "user" | "workspace"

export const notFound = (named: Named) => new NotFound({ message: `No such ${named}.` })

export const orNotFound = <A>(named: Named, found: Option.Option<A>): Effect.Effect<A, NotFound> =>
  Effect.fromOption(found, () => notFound(named))
