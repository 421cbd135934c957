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

/** The headless shell, which takes a quarter less processor time. It has no back/forward cache. */
const SHELL = "chromium-headless-shell"

const find = (...names: ReadonlyArray<string>): string | null => {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const installed = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env["CHROMIUM"] ?? "", ...installed].find((path) => path !== "" && isExecutable(path)) ?? null
}

/** A browser as people use it. Null if none is installed; the tests are then skipped. */
export const wholeChromiumPath = find(...NAMES)

/** The fastest browser. Null if none is installed; the tests are then skipped. */
export const chromiumPath = find(SHELL, ...NAMES)

if (wholeChromiumPath === null) {
  missing("CHROMIUM", "a browser", "apt-get install chromium, or name one in CHROMIUM")
}

/** A headless browser at the given path. Names that end in `.test` resolve to this host. The caller closes it. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? "",
    args: [
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--host-resolver-rules=MAP *.test 127.0.0.1",
      // Fewer processes, which takes less processor time.
      "--in-process-gpu",
      "--enable-features=NetworkServiceInProcess2"
    ]
  })
