/**
 * Tokens and operations: an operation for keys only refuses tokens, and one that does not apply filters refuses tokens
 * with a filter. So a new operation never shows more than a token may see, until it declares that it applies the
 * filter.
 */
import { PermissionDenied } from "@tributary/core/model/Error"
import { CurrentTokenFilter } from "@tributary/core/CurrentTokenFilter"
import { Effect } from "effect"
import type { ForTokens } from "../api/Access.ts"
import type { Caller } from "./Authorization.ts"

const NOT_FOR_TOKENS = "This takes an API key, not a token."

const NOT_FOR_FILTERS = "A token with a filter sees a part of the workspace, and this shows all of it."

export const narrowed = <A, E, R>(
  { filter }: NonNullable<Caller["token"]>,
  operation: typeof ForTokens.Service,
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E | PermissionDenied, R> => {
  if (operation === "never") return Effect.fail(new PermissionDenied({ message: NOT_FOR_TOKENS }))
  if (filter === null) return handled
  return operation === "narrowed"
    ? Effect.provideService(handled, CurrentTokenFilter, filter)
    : Effect.fail(new PermissionDenied({ message: NOT_FOR_FILTERS }))
}
