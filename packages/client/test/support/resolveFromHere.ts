/** Loaded before an example, which is outside of every package, so that it resolves what this package may import. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      context.parentURL?.includes("/docs/examples/") ? { ...context, parentURL: import.meta.url } : context
    )
})
