// Builds the public packages and packs them as they are published.
//
// Each is compiled on its own, against the declarations that the others publish. A `dist` exists only while
// this runs: in development the sources are what is imported.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { bundleServer } from "../bundle.ts"
import { pnpm, root } from "../pnpm.ts"
import { ONE_CHECKER } from "../typescript.ts"

export interface Package {
  readonly folder: string
  readonly manifest: {
    readonly name: string
    readonly version: string
    readonly private?: boolean
    readonly engines: { readonly node: string }
    readonly exports: Readonly<Record<string, string | null>>
    readonly dependencies?: Readonly<Record<string, string>>
  }
}

/** The published packages, each after its dependencies. */
export const publicPackages = (): ReadonlyArray<Package> => {
  const all = globSync(join(root, "{packages,apps}/*/package.json")).sort()
    .map((file): Package => ({ folder: dirname(file), manifest: JSON.parse(readFileSync(file, "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)
  const ordered = new Set<Package>()
  const visit = (one: Package): void => {
    for (const name of Object.keys(one.manifest.dependencies ?? {})) {
      const needed = all.find(({ manifest }) => manifest.name === name)
      if (needed !== undefined && !ordered.has(needed)) visit(needed)
    }
    ordered.add(one)
  }
  for (const one of all) visit(one)
  return [...ordered]
}

/** As it is published: pnpm calls the same function when it packs. */
const publishedManifest: (manifest: Package["manifest"]) => Package["manifest"] =
  createRequire(import.meta.url)("../../.pnpmfile.cjs").hooks.beforePacking

/** The paths of the declarations of packages that are already built. */
const declarations = (built: ReadonlyArray<Package>): Record<string, ReadonlyArray<string>> =>
  Object.fromEntries(
    built.flatMap(({ folder, manifest }) =>
      Object.entries(publishedManifest(manifest).exports).flatMap(([path, target]) =>
        target === null ? [] : [[join(manifest.name, path), [join(folder, target.replace(/\.js$/, ".d.ts"))]]]
      )
    )
  )

/** The declaration of an inferred type may import an internal module. */
const assertNoneLeaks = (dist: string, built: ReadonlyArray<Package>): void => {
  const closed = built.flatMap(({ manifest: { exports, name } }) =>
    Object.entries(exports).flatMap(([path, target]) => target === null ? [join(name, path.replace("*", ""))] : [])
  )
  for (const file of globSync("**/*.d.ts", { cwd: dist })) {
    const text = readFileSync(join(dist, file), "utf8")
    const leak = closed.find((prefix) => text.includes(`"${prefix}`))
    if (leak !== undefined) throw new Error(`${join(dist, file)} refers to ${leak}, which is closed: name the type`)
  }
}

/** What plain TypeScript calls: an editor shows the name of a call's answer. */
const SHOWN = /^@tributary\/(?:client\/dist\/(?:promise|operator)|tributary\/dist\/KnowledgeBase)\.d\.ts$/

/** An answer that is inferred is written out in a declaration, with the brands of its ids. */
const assertNamed = (dist: string, name: string): void => {
  for (const file of globSync("**/*.d.ts", { cwd: dist })) {
    if (!SHOWN.test(join(name, "dist", file)) || !/\bBrand</.test(readFileSync(join(dist, file), "utf8"))) continue
    throw new Error(`${join(dist, file)} writes out an answer: name the type`)
  }
}

const run = async (command: string, args: ReadonlyArray<string>): Promise<boolean> => {
  const [code] = await once(spawn(command, args, { cwd: root, stdio: ["ignore", 2, 2] }), "close")
  return code === 0
}

const distFolder = ({ folder }: Package): string => join(folder, "dist")

export const SERVER = "@tributary/server"

/** The server shows its own documentation, so its package contains it. */
const addDocumentation = (dist: string): void => {
  const docs = join(root, "docs")
  for (const page of globSync("**/*.md", { cwd: docs })) cpSync(join(docs, page), join(dist, "docs", page))
}

/** Its package also contains the console. */
const addConsole = async (dist: string): Promise<void> => {
  if (!await run(process.execPath, [join(root, "apps/console/build.ts"), join(dist, "console")])) {
    throw new Error("the console cannot be built")
  }
}

/** The server is a program, and starts in a fraction of the time when it is bundled. */
const buildServer = async (dist: string): Promise<void> => {
  await bundleServer(dist, { inPlace: false })
  addDocumentation(dist)
  await addConsole(dist)
}

const buildLibrary = async (one: Package, built: ReadonlyArray<Package>, config: string): Promise<void> => {
  const { folder, manifest } = one
  const dist = distFolder(one)
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rootDir: join(folder, "src"),
    outDir: dist,
    typeRoots: [join(root, "node_modules/@types")],
    paths: declarations(built)
  }
  const tsconfig = { extends: join(folder, "tsconfig.json"), compilerOptions, include: [join(folder, "src")] }
  writeFileSync(config, JSON.stringify(tsconfig))
  if (!await run("tsc", ["-p", config, ...ONE_CHECKER])) throw new Error(`${manifest.name} does not compile`)
  assertNoneLeaks(dist, built)
  assertNamed(dist, manifest.name)
}

/**
 * The files of a library that two tarballs contain, instead of depending on it: 6 MB of the 73 MB of PDF.js and its
 * drawing package.
 */
const BUNDLED = {
  in: ["@tributary/extract", SERVER],
  from: join(root, "packages/extract/node_modules"),
  library: "pdfjs-dist",
  files: ["LICENSE", "cmaps", "legacy/build/pdf.mjs", "legacy/build/pdf.worker.mjs"]
}

const tarballOf = (folder: string, { manifest: { name, version } }: Package): string =>
  join(folder, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`)

const editJson = (file: string, edit: (manifest: Record<string, unknown>) => void): void => {
  const manifest = JSON.parse(readFileSync(file, "utf8"))
  edit(manifest)
  writeFileSync(file, JSON.stringify(manifest, null, 2))
}

/** Packs the tarball again, with the library inside. */
const addLibrary = async (one: Package, tarball: string): Promise<void> => {
  const work = mkdtempSync(join(tmpdir(), "tributary-bundle-"))
  const source = realpathSync(join(BUNDLED.from, BUNDLED.library))
  const target = join(work, "package/node_modules", BUNDLED.library)
  try {
    if (!await run("tar", ["-xzf", tarball, "-C", work])) throw new Error(`${tarball} cannot be read`)
    for (const path of ["package.json", ...BUNDLED.files]) {
      cpSync(join(source, path), join(target, path), { recursive: true })
    }
    editJson(join(target, "package.json"), (manifest) => delete manifest["optionalDependencies"])
    const { version } = JSON.parse(readFileSync(join(target, "package.json"), "utf8"))
    editJson(join(work, "package/package.json"), (manifest) => {
      // The bundle contains its other dependencies.
      if (one.manifest.name === SERVER) manifest["dependencies"] = { [BUNDLED.library]: version }
      manifest["bundleDependencies"] = [BUNDLED.library]
    })
    if (!await run("tar", ["-czf", tarball, "-C", work, "package"])) throw new Error(`${tarball} cannot be written`)
  } finally {
    rmSync(work, { recursive: true })
  }
}

/** Each library once those that it depends on are built, beside what needs as few; the server needs none of them. */
const buildAll = async (packages: ReadonlyArray<Package>, configs: string): Promise<void> => {
  for (let left = packages; left.length > 0;) {
    const built = packages.filter((one) => !left.includes(one))
    const isReady = ({ manifest: { dependencies = {}, name } }: Package): boolean =>
      name === SERVER || !left.some(({ manifest }) => manifest.name in dependencies)
    const ready = left.filter(isReady)
    await Promise.all(ready.map(async (one) => {
      rmSync(distFolder(one), { recursive: true, force: true })
      if (one.manifest.name === SERVER) await buildServer(distFolder(one))
      else await buildLibrary(one, built, join(configs, `${packages.indexOf(one)}.json`))
    }))
    left = left.filter((one) => !ready.includes(one))
  }
}

/** Writes the tarballs into the folder. Returns their paths in the order of the packages. */
export const pack = async (packages: ReadonlyArray<Package>, folder: string): Promise<ReadonlyArray<string>> => {
  const configs = mkdtempSync(join(tmpdir(), "tributary-build-"))
  try {
    await buildAll(packages, configs)
    const filters = packages.flatMap(({ manifest: { name } }) => ["--filter", name])
    pnpm(["-r", "--reporter=silent", ...filters, "pack", "--pack-destination", folder])
  } finally {
    rmSync(configs, { recursive: true })
    for (const one of packages) rmSync(distFolder(one), { recursive: true, force: true })
  }
  return Promise.all(packages.map(async (one) => {
    const tarball = tarballOf(folder, one)
    if (BUNDLED.in.includes(one.manifest.name)) await addLibrary(one, tarball)
    return tarball
  }))
}
