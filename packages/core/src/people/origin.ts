/** The origin of a request. */
import { Context } from "effect"

/** The client's network address, for audit entries; null without a network. */
export const Origin = Context.Reference<string | null>("@tributary/core/Origin", { defaultValue: () => null })
