// Installs the packed packages in an empty folder and uses them: `npm run pack`. Once under the oldest Node and
// with the lowest supported Effect, once under the pinned Node and with the newest Effect. With a folder,
// `npm run pack -- FOLDER`, it only writes the tarballs and their bill of materials there.

import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { useServer } from "./command.ts"
import { emptyFolder, entryPoints, fetchNode, install, published, run } from "./consumer.ts"
import { pack, type Package, publicPackages, SERVER } from "./pack.ts"
import { keepFailure } from "../failures.ts"
import { root } from "../pnpm.ts"
import { useMount } from "./programs.ts"
import { writeSbom } from "./sbom.ts"
import { ONE_CHECKER } from "../typescript.ts"

/** Optional peers: a plain install must leave them out. */
const OPTIONAL = ["@effect/platform-node", "@effect/sql-pg"]

/** Large packages that nothing uses. */
const UNUSED = ["redis", "@napi-rs/canvas", "pdfjs-dist"]

/** The service inside a host's own server, by framework. */
const MOUNTS = ["express", "fastify", "hono", "effect"]
const HOSTS = ["express", "fastify", "hono", "@hono/node-server", "@types/express", "pg", "@types/pg"]

/** The further packages of the host, in the versions of the catalog. */
const CHOSEN = ["@types/node", ...HOSTS]

/**
 * The pages with a client program and its output. All use one workspace: the one that adds
 * hundreds of rooms comes last, because answers are less certain among many similar documents.
 */
const CLIENTS = ["docs/http.md", "docs/client.md"]

/** The pages about embedding, with the Postgres of programs that need one. */
const RECIPES = ["docs/embed.md", "docs/embed-in-production.md"]
const NEEDS_POSTGRES = "DATABASE_URL"

const TSCONFIG = {
  compilerOptions: {
    target: "ES2024",
    lib: ["ES2024", "ESNext.Disposable", "DOM", "DOM.Iterable"],
    types: ["node"],
    module: "NodeNext",
    strict: true,
    noEmit: true,
    // A library over the packages writes declarations: the types in them must have names that it can import.
    declaration: true,
    allowImportingTsExtensions: true,
    // The declarations themselves are tested.
    skipLibCheck: false
  },
  include: ["**/*.ts"]
}

const PROBE_INTERNAL = `
  const failure = await import("@tributary/core/internal/uuid7").catch((error) => error)
  if (failure.code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw new Error("internal modules can be imported")`

const PROBE_OPTIONAL = `
  const { open } = await import("@tributary/tributary")
  await open({ storage: "postgres", url: "postgres://nowhere" }).catch(({ message }) => console.log(message))
  const kb = await open({ storage: "memory" })
  await kb.nodeHandler({ baseUrl: "http://localhost" }).catch(({ message }) => console.log(message))
  await kb.close()`

const read = (path: string): string => readFileSync(join(root, path), "utf8")

const expect = (what: string, actual: string, expected: string | undefined): void => {
  if (expected !== undefined && actual !== expected) {
    throw new Error(`${what}: expected\n${expected}\nbut got\n${actual}`)
  }
}

interface Example {
  readonly program: string
  readonly prints: string | undefined
}

/** The programs of a page, each with its documented output. */
const examplesOf = (page: string): ReadonlyArray<Example> => {
  const shown = readFileSync(resolve(root, page), "utf8").matchAll(
    /```ts\n([^]*?)```\n(?:\nIt prints\n\n```\n([^]*?)```)?/g
  )
  const examples = [...shown].map(([, program, prints]) => ({ program: program!, prints }))
  if (examples.length === 0) throw new Error(`${page} shows no program with its output`)
  return examples
}

const fromCatalog = (name: string): string => {
  const [, version] = new RegExp(`^  "?${name}"?: (\\S+)$`, "m").exec(read("pnpm-workspace.yaml")) ?? []
  return `${name}@${version}`
}

/** Effect and its optional packages, at an end of their ranges. */
interface Peers {
  readonly effect: string
  readonly optional: ReadonlyArray<string>
}

/** The lowest supported versions, and the highest published ones. */
const peersOf = async (work: string): Promise<readonly [Peers, Peers]> => {
  const ends = await Promise.all(["effect", ...OPTIONAL].map(async (name) => {
    const [, range] = new RegExp(`^    "?${name}"?: (\\S+)$`, "m").exec(read("pnpm-workspace.yaml"))!
    const [lowest, highest] = await published(work, name, range!)
    return [`${name}@${lowest}`, `${name}@${highest}`] as const
  }))
  const at = (end: 0 | 1): Peers => {
    const [effect, ...optional] = ends.map((versions) => versions[end])
    return { effect: effect!, optional }
  }
  return [at(0), at(1)]
}

/** A plain install: one copy of Effect, no optional peer, and the README's example runs. */
const usePlainly = async (
  folder: string,
  node: string,
  { effect }: Peers,
  tarballs: ReadonlyArray<string>
): Promise<void> => {
  await install(folder, node, [...tarballs, effect])
  const installed = globSync("node_modules/{*,@*/*}/package.json", { cwd: folder })
  const named = (name: string) => installed.includes(join("node_modules", name, "package.json"))
  expect("optional packages that came along", [...OPTIONAL, ...UNUSED].filter(named).join(), "")
  expect("copies of effect inside others", globSync("node_modules/**/node_modules/effect", { cwd: folder }).join(), "")
  const { prints, program } = examplesOf("README.md")[0]!
  writeFileSync(join(folder, "readme.ts"), program)
  expect("the README's example", await run(folder, node, ["readme.ts"]), prints)
  expect(
    "parts without their packages",
    await run(folder, node, ["--input-type=module", "--eval", PROBE_OPTIONAL]),
    "Storage \"postgres\" needs a package that is not installed: npm install @effect/sql-pg\n" +
      "A handler for Node needs a package that is not installed: npm install @effect/platform-node\n"
  )
}

/** All that comes with the client: its own code, the API, its models, and what these need. */
const WITH_CLIENT = [
  "@noble/hashes",
  "@orama/stemmers",
  "@orama/stopwords",
  "@tributary/client",
  "@tributary/core",
  "@tributary/http",
  "@tributary/retrieval",
  "effect"
]

/** The client alone: what only a server needs stays away. */
const useClient = async (
  work: string,
  node: string,
  { effect }: Peers,
  packages: ReadonlyArray<Package>,
  tarballs: ReadonlyArray<string>
): Promise<void> => {
  const home = emptyFolder(work, "client")
  await install(home, node, [...tarballs.filter((_, at) => WITH_CLIENT.includes(packages[at]!.manifest.name)), effect])
  const installed = globSync("node_modules/{[!@]*,@*/*}/package.json", { cwd: home })
  const names = installed.map((path) => dirname(path).slice("node_modules/".length)).sort()
  expect("packages with the client", names.join(), WITH_CLIENT.join())
  await run(home, node, ["--input-type=module", "--eval", `await import("@tributary/client")`])
}

/** A Node that is too old and still common. */
const TOO_OLD = "20.19.0"

const PROBE_OLD = `await import("@tributary/tributary").catch(({ message }) => console.log(message))`

const refusedOn = (version: string): string =>
  `The data directory data cannot be used: embedded storage needs Node 24.16 or newer, and this is Node ${
    version.slice(1)
  }. Nothing in it was changed.\n`

/** With the optional peers: exactly the entry points can be imported, and the embedded database and the mounts work. */
const useFully = async (
  folder: string,
  node: string,
  { effect, optional }: Peers,
  packages: ReadonlyArray<Package>
): Promise<void> => {
  await install(folder, node, [...CHOSEN.map(fromCatalog), ...optional])
  const entries = packages.flatMap(({ manifest: { name } }) => entryPoints(folder, name))
  const imports = entries.map((name, index) => `export * as entry${index} from "${name}"\n`)
  writeFileSync(join(folder, "entries.ts"), imports.join(""))
  await run(folder, node, ["entries.ts"])
  await run(folder, node, ["--input-type=module", "--eval", PROBE_INTERNAL])
  cpSync(join(root, ".ci/pack/consumer"), folder, { recursive: true })
  const version = (await run(folder, node, ["--version"])).trim()
  const embedded = await run(folder, node, ["embedded.ts"])
  expect("the embedded database", embedded, version.startsWith("v22.") ? refusedOn(version) : "Keys\n")
  for (const mount of MOUNTS) {
    cpSync(join(root, `docs/examples/${mount}.ts`), join(folder, `${mount}.ts`))
    await useMount(folder, node, `${mount}.ts`)
  }
  console.log(`   Node ${version}: ${entries.length} entry points with ${[effect, ...optional].join(" ")}`)
}

/** Every program of the guides about embedding prints its documented output. */
const followRecipes = async (folder: string, node: string): Promise<void> => {
  const { databaseUrl } = await import("../../packages/postgres/test/support/testServer.ts")
  const { dropSchema } = await import("../../packages/tributary/test/support/database.ts")
  const recipes = RECIPES.flatMap(examplesOf)
    .filter(({ program }) => databaseUrl !== null || !program.includes(NEEDS_POSTGRES))
  const schema = `recipes_${process.pid}`
  try {
    for (const [index, { prints, program }] of recipes.entries()) {
      const name = `recipe${index}.ts`
      writeFileSync(join(folder, name), program)
      expect(name, await run(folder, node, [name], { [NEEDS_POSTGRES]: databaseUrl ?? "", SCHEMA: schema }), prints)
    }
  } finally {
    await dropSchema(schema)
  }
  const { namedFontPdf } = await import("../../packages/extract/test/support/pdf.ts")
  // Needs a character map, which the package contains.
  writeFileSync(join(folder, "read.pdf"), namedFontPdf("90ms-RKSJ-H", "Japan1", Buffer.from("93fa967b8cea", "hex")))
  expect("a PDF", await run(folder, node, ["pdf.ts"]), "日本語\n")
  expect("parts of a host's own", await run(folder, node, ["parts.ts"]), "invoice own asked: When?\n")
  console.log(`   ${recipes.length} recipes${databaseUrl === null ? ", without those that need a Postgres" : ""}`)
}

/** The command by `npx tributary`, installed alone, with the clients of the guides. */
const useCommand = async (work: string, folder: string, node: string, tarball: string): Promise<void> => {
  const home = emptyFolder(work, `${basename(folder)}-command`)
  await install(home, node, [tarball])
  const installed = globSync("node_modules/{*,@*/*}/package.json", { cwd: home }).map(dirname)
  expect("packages beside the command", installed.join(), join("node_modules", SERVER))
  const command = join(home, "node_modules/.bin/tributary")
  const { version } = JSON.parse(readFileSync(join(home, "node_modules", SERVER, "package.json"), "utf8"))
  expect("its version", await run(home, command, ["--version"]), `${version}\n`)
  const clients = CLIENTS.flatMap(examplesOf).filter(({ prints }) => prints !== undefined)
  const names = clients.map(({ program }, index) => {
    const name = `client${index}.ts`
    writeFileSync(join(folder, name), program)
    return name
  })
  // Embedded storage, the default, needs a newer Node than the oldest one.
  const isOld = (await run(folder, node, ["--version"])).startsWith("v22.")
  const outputs = await useServer({ folder, node, command, isEmbedded: !isOld }, names)
  for (const [index, { prints }] of clients.entries()) expect(names[index]!, outputs[index]!, prints)
}

/** The declarations, the READMEs, and the tests of the guides. Under one Node only: they do not depend on it. */
const checkTypes = async (folder: string, node: string, packages: ReadonlyArray<Package>): Promise<void> => {
  for (const { manifest: { name } } of packages) {
    const [{ program }] = examplesOf(join(folder, "node_modules", name, "README.md")) as [Example]
    writeFileSync(join(folder, `readme-${basename(name)}.ts`), program)
  }
  for (const tests of ["testing", "backend"]) {
    cpSync(join(root, "docs/examples", tests), join(folder, tests), { recursive: true })
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG))
  await run(folder, join(root, "node_modules/.bin/tsc"), ["-p", folder, ...ONE_CHECKER])
  await run(folder, node, ["node_modules/vitest/vitest.mjs", "run"])
}

const checkShape = async (work: string, { manifest: { exports } }: Package, tarball: string): Promise<void> => {
  await run(work, join(root, "node_modules/.bin/publint"), ["run", tarball, "--strict"])
  // Packages without imports have no types to check.
  if (Object.keys(exports).length === 0) return
  await run(work, join(root, "node_modules/.bin/attw"), [tarball, "--profile", "esm-only", "--no-color"])
}

const timed = async <A>(what: string, work: () => A | Promise<A>): Promise<A> => {
  const started = performance.now()
  const result = await work()
  console.log(`   ${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
  return result
}

const check = async (work: string, packages: ReadonlyArray<Package>): Promise<void> => {
  const tarballs = await timed("build and pack", () => pack(packages, work))
  writeSbom(packages, work)
  const server = packages.findIndex(({ manifest: { name } }) => name === SERVER)
  const libraries = packages.toSpliced(server, 1)
  const imported = tarballs.toSpliced(server, 1)
  const pinned = emptyFolder(work, "pinned")
  const old = emptyFolder(work, "old")
  const [lowest, highest] = await peersOf(work)
  const oldest = packages[0]!.manifest.engines.node.replace(">=", "")
  const onOldest = async () => {
    const node = await fetchNode(work, oldest)
    await usePlainly(old, node, lowest, imported)
    expect(
      `Node ${TOO_OLD}`,
      await run(old, await fetchNode(work, TOO_OLD), ["--input-type=module", "--eval", PROBE_OLD]),
      `Tributary needs Node ${oldest.split(".", 2).join(".")} or newer, and this is Node ${TOO_OLD}.\n`
    )
    await useFully(old, node, lowest, libraries)
    await useCommand(work, old, node, tarballs[server]!)
  }
  const onPinned = async () => {
    await usePlainly(pinned, process.execPath, highest, imported)
    await useClient(work, process.execPath, highest, libraries, imported)
    await useFully(pinned, process.execPath, highest, libraries)
    await followRecipes(pinned, process.execPath)
    await checkTypes(pinned, process.execPath, libraries)
    await useCommand(work, pinned, process.execPath, tarballs[server]!)
  }
  const shapes = async () => {
    for (const [index, tarball] of tarballs.entries()) await checkShape(work, packages[index]!, tarball)
  }
  await Promise.all([
    timed("oldest Node", onOldest),
    timed("pinned Node, types, tests", onPinned),
    timed("publint, are the types wrong", shapes)
  ])
}

const packages = publicPackages()
const [destination] = process.argv.slice(2)
const work = realpathSync(mkdtempSync(join(tmpdir(), "tributary-pack-")))
try {
  if (destination === undefined) await check(work, packages)
  else {
    for (const tarball of await pack(packages, resolve(destination))) console.log(tarball)
    console.log(writeSbom(packages, resolve(destination)))
  }
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(message)
  keepFailure(message.trim().split("\n", 5).join("\n"))
  process.exitCode = 1
} finally {
  rmSync(work, { recursive: true, force: true })
}
