/**
 * Bundles the server with what it depends on: a process that starts it reads a few files, where it would read more than
 * a thousand. `node .ci/bundle.ts FOLDER` bundles it for a start in this repository.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build, type Plugin } from "vite"

const root = fileURLToPath(new URL("..", import.meta.url))

/** The process that parses files may read nothing but the packages. */
const SANDBOXED = "/packages/extract/"

/** Heavy, already bundled, and read from where they are installed. */
const EXTERNAL = /^pdfjs-dist\//

const LOCATION = /new URL\("(\.\/[\w/]+)\.ts", import\.meta\.url\)|import\.meta\.url/g

/** Threads and processes have entries of their own. In place, other files are found where the sources are. */
const entries = (inPlace: boolean): Plugin => ({
  name: "entries",
  transform: {
    filter: { code: "import.meta.url" },
    handler(code, id) {
      const located = (location: string, name: string | undefined): string => {
        if (name === undefined || inPlace && id.includes(SANDBOXED)) {
          return inPlace ? location.replace("import.meta.url", JSON.stringify(pathToFileURL(id))) : location
        }
        const entry = join(dirname(id), name)
        const fileName = `${basename(dirname(entry))}-${basename(entry)}.js`
        this.emitFile({ type: "chunk", id: `${entry}.ts`, fileName })
        return `new URL("./${fileName}", import.meta.url)`
      }
      return { code: code.replaceAll(LOCATION, located) }
    }
  }
})

/** Writes it as `main.js` into the folder: to be run in this repository, or wherever the folder is installed. */
export const bundleServer = async (folder: string, { inPlace }: { readonly inPlace: boolean }): Promise<void> => {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [entries(inPlace)],
    ssr: { noExternal: true, resolve: { conditions: ["node"] } },
    build: {
      ssr: join(root, "apps/server/src/main.ts"),
      outDir: folder,
      emptyOutDir: false,
      license: inPlace ? false : { fileName: "THIRD-PARTY.md" },
      target: "es2024",
      minify: false,
      rolldownOptions: { external: EXTERNAL, output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" } }
    }
  })
  // Else Node parses each module to see whether it is one.
  if (inPlace) writeFileSync(join(folder, "package.json"), "{ \"type\": \"module\" }")
}

/** Another process may make the same at the same time: the first one stays. */
const keepBundle = async (folder: string): Promise<void> => {
  const unfinished = `${folder}.${process.pid}`
  try {
    await bundleServer(unfinished, { inPlace: true })
    if (!existsSync(folder)) renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

const [destination] = process.argv.slice(2)
if (import.meta.main && destination !== undefined) await keepBundle(destination)
