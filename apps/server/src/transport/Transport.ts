/** A way to the service: over HTTP, over the data directory's socket, or into a store that this process opens itself. */
import type * as Effect from "effect/Effect"
import type { UsageError } from "../command/UsageError.ts"

export interface Transport {
  /** Whom the requests go to, as it begins a sentence. */
  readonly whom: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Whether responses are streamed. */
  readonly streams: boolean
  /** The credential for the operator API. */
  readonly operatorToken: Effect.Effect<string, UsageError>
  /** The credential for the public API, for the chosen workspace, or else for the only one. */
  readonly workspaceKey: (workspace: string | undefined) => Effect.Effect<string, UsageError>
}
