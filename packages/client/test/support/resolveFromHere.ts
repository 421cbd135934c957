/** Loaded before an example, which stands outside of every package: it finds what this package may import. */
import { registerHooks } from "node:module"

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier,
      context.parentURL?.includes("/docs/examples/") ? { ...context, parentURL: import.meta.url } : context
    )
})
