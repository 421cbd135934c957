/** Reports the progress of a call to a client that asked for it; null if it did not. */
import { Context, type Effect } from "effect"

export const Progress = Context.Reference<((message: string) => Effect.Effect<void>) | null>(
  "@tributary/mcp/Progress",
  { defaultValue: () => null }
)
