/** Modules that run in separate threads. A bundler that splits a package leaves them out. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

/** Its address, given that of the source: in a build, the modules of all packages end in .js. */
export const ownModule = (source: URL): URL =>
  import.meta.url.endsWith(".ts") ? source : new URL(source.href.replace(/\.ts$/, ".js"))

export const isPresent = (module: URL): boolean => existsSync(module)

/** Dies with instructions if the module is missing. */
export const requireModule = (module: URL): Effect.Effect<void> =>
  isPresent(module) ? Effect.void : Effect.die(
    new Error(
      `The module ${basename(fileURLToPath(module))} is not beside the one that starts it. ` +
        `Leave the packages @tributary/* out of the bundle: they are "external".`
    )
  )
