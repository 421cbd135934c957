/**
 * Tokens and operations: an operation for keys only refuses tokens, and one that does not apply filters refuses tokens
 * with a filter. So a new operation never shows more than a token may see, until it declares that it applies the
 * filter.
 */
import { PermissionDenied } from "@tributary/core/model/Error"
import { CurrentTokenFilter } from "@tributary/core/CurrentTokenFilter"
import { Effect } from "effect"
import type { TokenAccess } from "../api/Access.ts"
import type { Caller } from "./Authorization.ts"

const NOT_FOR_TOKENS = "This takes an API key, not a token."

const NOT_FOR_FILTERS = "These credentials see a part of the workspace, and this shows all of it."

export const withTokenFilter = <A, E, R>(
  { filter }: NonNullable<Caller["token"]>,
  access: typeof TokenAccess.Service,
  handled: Effect.Effect<A, E, R>
): Effect.Effect<A, E | PermissionDenied, R> => {
  if (access === "never") return Effect.fail(new PermissionDenied({ message: NOT_FOR_TOKENS }))
  if (filter === null) return handled
  return access === "filtered"
    ? Effect.provideService(handled, CurrentTokenFilter, filter)
    : Effect.fail(new PermissionDenied({ message: NOT_FOR_FILTERS }))
}
