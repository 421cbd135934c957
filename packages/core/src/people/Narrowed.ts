/** The filter of the token that a request came with; null for the one who sees the whole workspace. */
import { Context } from "effect"
import type { TokenFilter } from "../model/Token.ts"

export const Narrowed = Context.Reference<TokenFilter | null>("@tributary/core/Narrowed", { defaultValue: () => null })
