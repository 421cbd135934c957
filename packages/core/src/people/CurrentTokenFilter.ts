/** The filter of the request's token; null if the whole workspace is visible. */
import { Context } from "effect"
import type { TokenFilter } from "../model/Token.ts"

export const CurrentTokenFilter = Context.Reference<TokenFilter | null>("@tributary/core/CurrentTokenFilter", {
  defaultValue: () => null
})
