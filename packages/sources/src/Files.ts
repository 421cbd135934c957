/**
 * The files of a folder on the service's own machine.
 *
 * Only folders within the roots that the operator names can be connected. Links are not followed. Files are given as
 * they are: what cannot be read as text is refused, and told, where they are taken in.
 */
import { opendir } from "node:fs/promises"
import { FatalFailure, type Provider } from "@tributary/core/ports/Provider"
import { Effect, Schema } from "effect"
import ignore from "ignore"
import { syncFolder } from "./internal/files/syncFolder.ts"
import { type FolderWatch, watchFolder } from "./internal/files/watchFolder.ts"
import { rootedPath } from "./internal/rootedPath.ts"
import { type Roots, rootsNow, stepsWithin } from "./internal/roots.ts"
import { attempt } from "./internal/steps.ts"

const RESOURCE = "files"

/** Hidden files, and what programs fetch and make. */
const ALWAYS_IGNORED = [".*", "node_modules", "__pycache__"]

const FilesConfig = Schema.Struct({
  path: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(4_096)).annotate({
    title: "Folder",
    description: "Absolute path of a folder on the service's machine."
  }),
  ignore: Schema.optionalKey(
    Schema.Array(Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200))).check(Schema.isMaxLength(100))
  ).annotate({
    title: "Ignore",
    description:
      "Patterns as in .gitignore. Hidden files and node_modules are ignored unless a pattern with ! takes them back."
  })
})
type FilesConfig = typeof FilesConfig.Type

export interface FilesOptions extends Partial<Pick<FolderWatch, "maxFolders" | "pollMillis">> {
  /** Folders that may be connected, and those within. */
  readonly roots: Roots
}

const FORGETS_AFTER = 1_000

const ignoring = ({ ignore: given = [] }: FilesConfig) => {
  const make = () => ignore({ allowRelativePaths: true, ignorecase: false }).add([...ALWAYS_IGNORED, ...given])
  let patterns = make()
  let asked = 0
  return (path: string) => {
    // It remembers every path that it is asked about.
    if (++asked % FORGETS_AFTER === 0) patterns = make()
    return patterns.ignores(path)
  }
}

/** `path` is what it was called. */
const tryFolder = async (real: string, path: string): Promise<void> => {
  try {
    await (await opendir(real)).close()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new FatalFailure({
      message: code === "ENOTDIR" ? `${path} is no folder.` : `The service cannot read the folder ${path} (${code}).`
    })
  }
}

export const files = ({ maxFolders = 8_000, pollMillis = 30_000, roots }: FilesOptions): Provider<FilesConfig> => ({
  provider: "files",
  name: "Folder",
  config: FilesConfig,
  syncDefaults: { start: null, interval_minutes: 15 },
  commonResources: [RESOURCE],
  resources: ({ path }) =>
    Effect.flatMap(rootsNow(roots), (roots) =>
      attempt(async () => {
        await tryFolder(await rootedPath(path, roots), path)
        return [RESOURCE]
      })),
  sync: ({ config, cursor, resource, since }) =>
    stepsWithin(roots, async function*(roots, signal) {
      const root = await rootedPath(config.path, roots)
      yield* syncFolder({ root, resource, cursor, since, ignores: ignoring(config) }, signal)
    }),
  changes: (config) =>
    stepsWithin(roots, async function*(roots, signal) {
      const root = await rootedPath(config.path, roots)
      for await (
        const _ of watchFolder({ root, ignores: ignoring(config), maxFolders, pollMillis }, signal)
      ) yield RESOURCE
    })
})
