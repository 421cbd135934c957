/** Modules that run in a thread of their own. A bundler that takes a package apart leaves them behind. */
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"

/** Dies with instructions if the module is missing. */
export const requireModule = (module: URL): Effect.Effect<void> =>
  existsSync(module) ? Effect.void : Effect.die(
    new Error(
      `The module ${basename(fileURLToPath(module))} is not beside the one that starts it. ` +
        `Leave the packages @tributary/* out of the bundle: they are "external".`
    )
  )
