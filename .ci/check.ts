// The static checks, each callable alone: `npm run check`, `npm run check -- types lint`.

import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { manifestProblems, publicPackages } from "./pack.ts"
import { wordProblems } from "./words.ts"

const projects = globSync("{packages,apps}/*/package.json").map(dirname).sort()

/** Runs a tool from node_modules/.bin and says whether it was content. */
const tool = (name: string, ...args: ReadonlyArray<string>): boolean => {
  const { status, error } = spawnSync(name, args, { stdio: "inherit" })
  if (error) console.error(`${name}: ${error.message}`)
  return status === 0
}

const forEachProject = (visit: (tsconfig: string) => boolean): boolean =>
  [...projects, "docs/examples", ".ci"].map((project) => {
    const tsconfig = `${project}/tsconfig.json`
    if (!existsSync(tsconfig)) console.error(`${tsconfig} is missing`)
    const content = existsSync(tsconfig) && visit(tsconfig)
    if (!content) console.error(`✗ ${project}`)
    return content
  }).every(Boolean)

/** TypeScript's compiler with the rules for Effect in it: one pass over a program judges both. */
const compiler = (): string => execFileSync("effect-tsgo", ["get-exe-path"], { encoding: "utf8" }).trim()

const topLevel = new Set([
  "apps",
  "docs",
  "packages",
  "node_modules",
  "LICENSE",
  "README.md",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json"
])

const layoutProblems = (): Array<string> => {
  const problems = readdirSync(".")
    .filter((name) => !name.startsWith(".") && !topLevel.has(name))
    .map((name) => `${name}: the top level holds nothing but ${[...topLevel].join(", ")}`)

  const workspace = readFileSync("pnpm-workspace.yaml", "utf8")
  const catalog = /^catalog:\n((?: .*\n)+)/m.exec(workspace)?.[1] ?? ""
  for (const line of catalog.trimEnd().split("\n")) {
    if (!/^ {2}\S+: \d+\.\d+\.\d+(-[\w.]+)?$/.test(line)) problems.push(`catalog: not an exact version: ${line.trim()}`)
  }

  const version = (pattern: RegExp) => pattern.exec(workspace)?.[1]
  if (version(/^nodeVersion: (.+)$/m) !== version(/^ {2}node: (.+)$/m)) {
    problems.push("pnpm-workspace.yaml: nodeVersion is not the catalog's node")
  }

  problems.push(...manifestProblems(publicPackages()))

  for (const project of [".", "docs/examples", ...projects]) {
    const manifest = JSON.parse(readFileSync(`${project}/package.json`, "utf8"))
    const ranges = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
    for (const [name, range] of Object.entries(ranges)) {
      if (range !== "catalog:" && range !== "workspace:*") {
        problems.push(`${project}/package.json: ${name} must say "catalog:" or "workspace:*", not "${range}"`)
      }
    }
  }

  if (/https?:\/\//.test(readFileSync("pnpm-lock.yaml", "utf8"))) problems.push("pnpm-lock.yaml names a registry")
  return problems
}

const checks: Record<string, () => boolean> = {
  types: () => {
    const path = compiler()
    return forEachProject((tsconfig) => tool(path, "-p", tsconfig, "--noEmit"))
  },
  lint: () => tool("oxlint", "--deny-warnings", "--report-unused-disable-directives"),
  format: () => tool("dprint", "check", "--config", ".dprint.json"),
  openapi: () => tool("node", ".ci/openapi.ts", "--check"),
  reference: () => tool("node", ".ci/reference.ts", "--check"),
  words: () => {
    const problems = wordProblems()
    for (const problem of problems) console.error(problem)
    return problems.length === 0
  },
  unused: () => tool("knip", "--no-progress"),
  layout: () => {
    const problems = layoutProblems()
    for (const problem of problems) console.error(problem)
    return problems.length === 0
  }
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !Object.hasOwn(checks, name))
if (unknown !== undefined) {
  console.error(`no check "${unknown}"; there are: ${Object.keys(checks).join(", ")}`)
  process.exit(2)
}

const failed: Array<string> = []
for (const [name, check] of Object.entries(checks)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n== ${name}`)
  const started = performance.now()
  const content = check()
  if (!content) failed.push(name)
  console.log(`-- ${name}: ${content ? "ok" : "FAILED"} in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

console.log(failed.length === 0 ? "\nall checks passed" : `\nfailed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
