/** Where a request came from. */
import { Context } from "effect"

/** The network address of the one who asks, for the entries that this leaves; null where there is no network. */
export const Origin = Context.Reference<string | null>("@tributary/core/Origin", { defaultValue: () => null })
