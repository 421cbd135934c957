/** A connection to the service: over HTTP, over the data directory's socket, or to a store that this process opens. */
import type * as Effect from "effect/Effect"
import type { UsageError } from "../UsageError.ts"

export interface Transport {
  /** What receives the requests, as the start of a sentence. */
  readonly target: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Whether responses are streamed. */
  readonly streams: boolean
  /** The credential for the operator API. */
  readonly operatorToken: Effect.Effect<string, UsageError>
  /** The credential for the public API, for the chosen workspace, or else for the only one. */
  readonly workspaceKey: (workspace: string | undefined) => Effect.Effect<string, UsageError>
}
