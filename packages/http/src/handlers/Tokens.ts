/** Tokens, created by a key. */
import * as Core from "@tributary/core/Tokens"
import { Effect } from "effect"
import type { Tokens } from "../api/Tokens.ts"
import type { Handlers } from "./Handlers.ts"

export const tokens = Effect.map(Core.Tokens, (tokens): Handlers<typeof Tokens> => ({
  createToken: ({ caller, payload }) => tokens.issue(caller.principal, payload)
}))
