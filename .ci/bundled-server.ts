/**
 * Bundles the server once for a run of the tests: each process that they start then reads a few files, where it would
 * read more than a thousand.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
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

/** The process that parses files may read nothing but the packages. */
const SANDBOXED = "/packages/extract/"

const THREAD = /new URL\("(\.\/[\w/]+)\.ts", import\.meta\.url\)/g

/** Modules find files where their sources are, and threads in the bundle. Those of the command have side effects. */
const inPlace = (folder: string): Plugin => {
  const threads = new Set<string>()
  return {
    name: "in-place",
    transform(code, id) {
      const bundleThread = (_: string, name: string): string => {
        const entry = join(dirname(id), name)
        const fileName = `threads/${basename(dirname(entry))}/${basename(entry)}.js`
        if (!threads.has(`${entry}.ts`)) this.emitFile({ type: "chunk", id: `${entry}.ts`, fileName })
        threads.add(`${entry}.ts`)
        return `new URL(${JSON.stringify(pathToFileURL(join(folder, fileName)))})`
      }
      const bundled = id.includes(SANDBOXED) ? code : code.replaceAll(THREAD, bundleThread)
      return {
        code: bundled.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id))),
        moduleSideEffects: id.includes("/apps/server/") || threads.has(id)
      }
    }
  }
}

export const setup = async (project: TestProject): Promise<() => void> => {
  const folder = mkdtempSync(join(tmpdir(), "tributary-server-"))
  // Some tests run it as somebody else.
  chmodSync(folder, 0o755)
  // Else Node parses each module to see whether it is one.
  writeFileSync(join(folder, "package.json"), "{ \"type\": \"module\" }")
  await build({
    configFile: false,
    logLevel: "error",
    plugins: [inPlace(folder)],
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
