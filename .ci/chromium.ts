// Where tests find a browser: the Chromium that CHROMIUM names, else the one that is installed. CI must have one.

import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium } from "playwright-core"

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
  const message = "NO CHROMIUM: what runs in a browser is not tested. Install it, or name one in CHROMIUM."
  if (process.env["TRIBUTARY_REQUIRE_CHROMIUM"] === "1") throw new Error(message)
  process.stderr.write(`\n${"!".repeat(100)}\n${message}\n${"!".repeat(100)}\n`)
  return null
}

/** Null when there is none, and the tests are to be skipped. */
export const chromiumPath = find()

/** A browser without a window, for the one who has a path to one. Names that end in `.test` are this host. Close it at the end. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--disable-gpu", "--disable-dev-shm-usage", "--host-resolver-rules=MAP *.test 127.0.0.1"]
  })
