/** Bundles the server once for a run of the tests, which start many. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { bundleServer } from "./bundle.ts"

/** The path of what `node` is to run for the `tributary` command. */
export type BundledServer = string

declare module "vitest" {
  interface ProvidedContext {
    readonly server: BundledServer
  }
}

export const setup = async (project: TestProject): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-server-"))
  // Some tests run it as somebody else.
  chmodSync(folder, 0o755)
  await bundleServer(folder, { inPlace: true })
  project.provide("server", join(folder, "main.js"))
  return () => rmSync(folder, { recursive: true, force: true })
}
