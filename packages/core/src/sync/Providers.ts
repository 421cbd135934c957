/** The providers that a host offers its workspaces. */
import { Context, Layer } from "effect"
import type { Provider } from "../ports/Provider.ts"

/** None by default. */
export const Providers = Context.Reference<ReadonlyArray<Provider>>("@tributary/core/Providers", {
  defaultValue: () => []
})

/** In display order. */
export const layer = (providers: ReadonlyArray<Provider>) => Layer.succeed(Providers, providers)
