/** A way to the service: over HTTP, over the data directory's socket, or into a store that this process opens itself. */
import type * as Effect from "effect/Effect"
import type { UsageError } from "../command/UsageError.ts"

export interface Transport {
  /** Whom the requests go to, as it begins a sentence. */
  readonly whom: string
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  /** Whether an answer comes piece by piece. */
  readonly streams: boolean
  /** What opens the operator API. */
  readonly operatorToken: Effect.Effect<string, UsageError>
  /** What opens the public API for the workspace that was asked for, or else for the only one. */
  readonly workspaceKey: (workspace: string | undefined) => Effect.Effect<string, UsageError>
}
