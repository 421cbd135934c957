/** A connected client: what it may do, and how the tools run on its behalf. */
import { covers, type Scope } from "@tributary/core/model/Scope"
import type { Effect } from "effect"
import type { HttpClient } from "effect/http/HttpClient"
import type { Tool } from "./Tool.ts"

export interface Session {
  readonly scopes: ReadonlyArray<Scope>
  /** Called when a tool refuses its arguments. Refusals of the API are counted by the API. */
  readonly refused?: Effect.Effect<void>
  /** Runs with a client of the public API that sends the credential of this session. Aborting interrupts. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, HttpClient>, options: { readonly signal: AbortSignal }) => Promise<A>
}

export const mayCall = ({ scopes }: Pick<Session, "scopes">, tool: Pick<Tool, "scopes">): boolean =>
  tool.scopes.some((scope) => covers(scopes, scope))
