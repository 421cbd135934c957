/**
 * What answers the messages at `/mcp`. It is a part that the host provides, because only servers need the library of
 * the protocol, and this package is installed with every client of the API.
 */
import type { Scope } from "@tributary/core/model/Scope"
import type { Effect } from "effect"
import type { HttpClient } from "effect/http/HttpClient"

/** A connected client: what it may do, and how the tools run on its behalf. */
export interface McpSession {
  readonly scopes: ReadonlyArray<Scope>
  /** Called when a tool refuses its arguments. Refusals of the API are counted by the API. */
  readonly refused?: Effect.Effect<void>
  /** Runs with a client of the public API that sends the credential of this session. Aborting interrupts. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, HttpClient>, options: { readonly signal: AbortSignal }) => Promise<A>
}

export interface McpRequest {
  /** Method, path and headers; its body is not read. */
  readonly request: Request
  /** The parsed body. */
  readonly body: unknown
  readonly session: McpSession
  /** Distinguishes clients that may use the same ids. */
  readonly client: string
  /** Aborted by the host when the client disconnects, and by this endpoint when the client cancels. */
  readonly controller: AbortController
}

export interface McpEndpoint {
  readonly handle: (request: McpRequest) => Promise<Response>
}

/** Loads it: `() => import("@tributary/mcp/HttpEndpoint")`. */
export type LoadMcp = () => Promise<{ readonly HttpEndpoint: new() => McpEndpoint }>
