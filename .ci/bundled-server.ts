/**
 * Bundles the server once for a run of the tests: each process that they start then reads a few files, where it would
 * read more than a thousand. Everything finds its own files, such as those of its threads, where the sources are.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin } from "vite"
import type { TestProject } from "vitest/node"

/** The path of what `node` is to run for the `tributary` command. */
export type BundledServer = string

declare module "vitest" {
  interface ProvidedContext {
    readonly server: BundledServer
  }
}

const source = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url))

/** A module is where its source is, not where the bundle is; and those of the command are loaded for what they do. */
const inPlace: Plugin = {
  name: "in-place",
  transform: (code, id) => ({
    code: code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
    moduleSideEffects: id.includes("/apps/server/")
  })
}

export const setup = async (project: TestProject): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-server-"))
  // Some tests run it as somebody else.
  chmodSync(folder, 0o755)
  await build({
    configFile: false,
    logLevel: "error",
    plugins: [inPlace],
    ssr: { noExternal: true, resolve: { conditions: ["node"] } },
    build: {
      ssr: source,
      outDir: folder,
      emptyOutDir: false,
      target: "esnext",
      minify: false
    }
  })
  project.provide("server", join(folder, "main.js"))
  return () => rmSync(folder, { recursive: true, force: true })
}
