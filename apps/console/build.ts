/**
 * Builds the console into a folder, and prints which: `node build.ts [FOLDER]`. Without a folder it is one of the cache
 * that is named after everything the build reads, and an existing one is not built again.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

const root = fileURLToPath(new URL(".", import.meta.url))
const repository = join(root, "../..")

const INPUTS = [
  "apps/console/{index.html,build.ts,src/**/*.*}",
  "packages/core/src/model/**/*.ts",
  "packages/retrieval/src/**/*.ts",
  "pnpm-lock.yaml"
]

const digest = (): string => {
  const hash = createHash("sha256")
  for (const file of INPUTS.flatMap((pattern) => globSync(pattern, { cwd: repository }).sort())) {
    hash.update(`${file}\0`).update(readFileSync(join(repository, file))).update("\0")
  }
  return hash.digest("hex").slice(0, 16)
}

const COMPRESSIBLE = /\.(html|js|css|svg)$/

/** Each file also as it travels. */
const compress = async (folder: string): Promise<void> => {
  const files = globSync("**/*", { cwd: folder }).filter((file) => COMPRESSIBLE.test(file))
  await Promise.all(files.map(async (file) => {
    const path = join(folder, file)
    const bytes = readFileSync(path)
    const [brotli, zipped] = await Promise.all([
      promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
      promisify(gzip)(bytes, { level: 9 })
    ])
    writeFileSync(`${path}.br`, brotli)
    writeFileSync(`${path}.gz`, zipped)
  }))
}

const FIRST_LOAD =
  /\/packages\/core\/|\/node_modules\/(?:effect|fast-check|react|react-dom|scheduler|use-sync-external-store|@tanstack\/(?:(?:react-)?(?:query|router|store)|(?:query|router)-core|history))\//

const buildConsole = async (folder: string): Promise<void> => {
  // A build that is found again does not need it.
  const { build } = await import("vite")
  await build({
    root,
    base: "/console/",
    // The server says in the page where the console is; from there, files name each other.
    experimental: { renderBuiltUrl: (_file, { hostType }) => ({ relative: hostType !== "html" }) },
    configFile: false,
    logLevel: "error",
    build: {
      outDir: folder,
      emptyOutDir: true,
      license: { fileName: "THIRD-PARTY.md" },
      // Nothing is put into the page itself: its content security policy takes no data addresses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        treeshake: { propertyReadSideEffects: false },
        // What every page needs and seldom changes, in one piece. Heavier libraries come with the pages that use them.
        output: { codeSplitting: { groups: [{ name: "libraries", test: FIRST_LOAD }] } }
      },
      target: ["chrome123", "firefox120", "safari17.5"]
    }
  })
  await compress(folder)
}

/** Where the build of the present sources is. Another process may build the same at the same time: the first one stays. */
const builtConsole = async (): Promise<string> => {
  const cache = join(repository, "node_modules/.cache/console")
  const folder = join(cache, digest())
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const unfinished = `${folder}.${process.pid}`
  try {
    await buildConsole(unfinished)
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  const finished = readdirSync(cache).filter((name) => !name.includes(".") && join(cache, name) !== folder)
  for (const name of finished) rmSync(join(cache, name), { recursive: true, force: true })
  return folder
}

// Whatever this is started from, such as a test: it is the console that people use.
process.env["NODE_ENV"] = "production"

const [folder] = process.argv.slice(2)
if (folder === undefined) process.stdout.write(`${await builtConsole()}\n`)
else await buildConsole(resolve(folder))
