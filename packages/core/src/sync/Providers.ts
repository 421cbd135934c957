/** The providers that a host offers its workspaces. */
import { Context, Layer } from "effect"
import type { Provider } from "../ports/Provider.ts"

/** None unless the host provides some. */
export const Providers = Context.Reference<ReadonlyArray<Provider>>("@tributary/core/Providers", {
  defaultValue: () => []
})

/** In the order in which people are shown them. */
export const layer = (providers: ReadonlyArray<Provider>) => Layer.succeed(Providers, providers)
