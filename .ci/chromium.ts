// Where tests find a browser: the Chromium that CHROMIUM names, else the one that is installed. CI must have one.

import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { missing } from "./missing.ts"

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const find = (): string | null => {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const installed = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  const path = [process.env["CHROMIUM"] ?? "", ...installed].find((path) => path !== "" && isExecutable(path))
  if (path !== undefined) return path
  missing("CHROMIUM", "a browser", "apt-get install chromium, or name one in CHROMIUM")
  return null
}

/** Null if it is not installed; the tests are then skipped. */
export const chromiumPath = find()

/** A browser without a window, for the one who has a path to one. Names that end in `.test` are this host. Close it at the end. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP *.test 127.0.0.1"]
  })
