/** Reports how far a call has come, to a client that asked to be told; null when it did not ask. */
import { Context, type Effect } from "effect"

export const Progress = Context.Reference<((message: string) => Effect.Effect<void>) | null>(
  "@tributary/mcp/Progress",
  { defaultValue: () => null }
)
