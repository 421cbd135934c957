/** The key of a call, for a client that speaks for many workspaces. */
import { Context, type Redacted } from "effect"

/** Provide it to a call to have it sent with another key than the client's own. */
export const Credential = Context.Reference<Redacted.Redacted | null>("@tributary/client/Credential", {
  defaultValue: () => null
})
