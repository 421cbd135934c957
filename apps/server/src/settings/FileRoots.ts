/** The setting that names folders of this machine, and who may connect them. */
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import { delimiter, isAbsolute, resolve, sep } from "node:path"
import { setting } from "./Setting.ts"

/** A folder and the only workspaces that may connect it; a path alone is for every workspace. */
type Root = string | { readonly path: string; readonly workspaces: ReadonlyArray<string> }

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const BOUND = new RegExp(`^(.*)=(${UUID}(?:,${UUID})*)$`, "i")

const rootOf = (text: string): Root => {
  const [, path, ids] = BOUND.exec(text) ?? []
  return path === undefined || ids === undefined ? text : { path, workspaces: ids.toLowerCase().split(",") }
}

const rootsIn = (text: string): ReadonlyArray<Root> => text.split(delimiter).filter((part) => part !== "").map(rootOf)

const pathOf = (root: Root): string => typeof root === "string" ? root : root.path

const isWithin = (inner: Root, outer: Root): boolean => {
  const [path, folder] = [resolve(pathOf(inner)), resolve(pathOf(outer))]
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** A folder with fewer workspaces inside another root would not be exclusive. */
const areApart = (roots: ReadonlyArray<Root>): boolean =>
  roots.every((root, index) =>
    roots.every((other, at) =>
      index === at || (typeof root === "string" && typeof other === "string") || !isWithin(root, other)
    )
  )

const ROOTS = Schema.makeFilter<string>((text) => {
  const roots = rootsIn(text)
  return roots.every((root) => isAbsolute(pathOf(root))) && areApart(roots)
})

export const fileRoots = setting("TRIBUTARY_FILE_ROOTS", {
  description:
    `The folders that connections to files and to local repositories may read, including subfolders, separated by "${delimiter}". Each may be followed by = and the ids of the workspaces that alone may connect it, separated by commas.`,
  defaultText: "none",
  mustBe:
    `absolute paths of folders, separated by "${delimiter}", each perhaps followed by = and ids of workspaces; one with ids is not within another`,
  read: (variable) =>
    Config.schema(Schema.String.check(ROOTS), variable).pipe(Config.withDefault(""), Config.map(rootsIn))
})
