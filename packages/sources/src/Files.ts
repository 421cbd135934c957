/**
 * The files of a folder on the server's machine.
 *
 * Only folders within the roots of the operator can be connected. Symbolic links are not followed. File contents are
 * passed on as bytes; the ingest refuses and reports files that are not text.
 */
import { opendir } from "node:fs/promises"
import { checkNumbers, MILLISECONDS, wholeNumber } from "@tributary/core/model/NumberRule"
import { FatalFailure, type Provider } from "@tributary/core/ports/Provider"
import { Schema } from "effect"
import ignore from "ignore"
import { syncFolder } from "./internal/files/syncFolder.ts"
import { type FolderWatch, watchFolder } from "./internal/files/watchFolder.ts"
import { rootedPath } from "./internal/rootedPath.ts"
import { attemptWithin, type Roots, stepsWithin } from "./internal/roots.ts"

const RESOURCE = "files"

/** Hidden files, dependencies and build output, and what Windows and its office programs leave in folders. */
const ALWAYS_IGNORED = [".*", "node_modules", "__pycache__", "~$*", "[dD]esktop.ini", "[tT]humbs.db"]

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
  /** Roots: these folders and their subfolders can be connected. */
  readonly roots: Roots
}

const FORGETS_AFTER = 1_000

const ignoring = ({ ignore: given = [] }: FilesConfig) => {
  const make = () => ignore({ allowRelativePaths: true, ignorecase: false }).add([...ALWAYS_IGNORED, ...given])
  let patterns = make()
  let asked = 0
  return (path: string) => {
    // The matcher caches every path that it is asked about.
    if (++asked % FORGETS_AFTER === 0) patterns = make()
    return patterns.ignores(path)
  }
}

/** `path` is the name that the user gave. */
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

const RULES = { maxFolders: wholeNumber(1, 1_000_000), pollMillis: MILLISECONDS }

export const files = ({ maxFolders = 8_000, pollMillis = 30_000, roots }: FilesOptions): Provider<FilesConfig> => {
  checkNumbers(RULES, { maxFolders, pollMillis })
  return {
    provider: "files",
    name: "Folder",
    config: FilesConfig,
    syncDefaults: { start: null, interval_minutes: 15 },
    commonResources: [RESOURCE],
    resources: ({ path }) =>
      attemptWithin(roots, async (roots) => {
        await tryFolder(await rootedPath(path, roots), path)
        return [RESOURCE]
      }),
    sync: ({ config, ...request }) =>
      stepsWithin(roots, async function*(roots, signal) {
        const root = await rootedPath(config.path, roots)
        yield* syncFolder({ ...request, root, ignores: ignoring(config) }, signal)
      }),
    changes: (config) =>
      stepsWithin(roots, async function*(roots, signal) {
        const root = await rootedPath(config.path, roots)
        for await (
          const _ of watchFolder({ root, ignores: ignoring(config), maxFolders, pollMillis }, signal)
        ) yield RESOURCE
      })
  }
}
