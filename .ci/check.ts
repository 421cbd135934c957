// The static checks, each callable alone: `npm run check`, `npm run check -- types lint`.

import { execFile, execFileSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { keepFailure } from "./failures.ts"
import { publicPackages } from "./pack/pack.ts"
import { readmeProblems } from "./pack/readmes.ts"
import { ONE_CHECKER } from "./typescript.ts"
import { wordProblems } from "./words.ts"

const projects = globSync("{packages,apps}/*/package.json").map(dirname).sort()

/** The result of a check, and its output. */
interface Verdict {
  readonly ok: boolean
  readonly text: string
}

/** Runs a tool from node_modules/.bin. */
const tool = (name: string, ...args: ReadonlyArray<string>): Promise<Verdict> =>
  new Promise((resolve) => {
    const options = { maxBuffer: Infinity, encoding: "utf8" } as const
    execFile(name, args, options, (error, stdout, stderr) => {
      const failure = error === null || stdout + stderr !== "" ? "" : error.message
      resolve({ ok: error === null, text: stdout + stderr + failure })
    })
  })

const verdictOn = (problems: ReadonlyArray<string>): Verdict => ({
  ok: problems.length === 0,
  text: problems.join("\n")
})

/** The number of parallel checks: that of CI's processors. */
const AT_ONCE = 2

/** Runs all tasks in their order, several in parallel. */
const inTurn = async (tasks: ReadonlyArray<() => Promise<void>>): Promise<void> => {
  const waiting = tasks.values()
  const next = async () => {
    for (const task of waiting) await task()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

interface Tsconfig {
  readonly compilerOptions?: object
  readonly include: ReadonlyArray<string>
}

const readTsconfig = (path: string): Tsconfig =>
  JSON.parse(readFileSync(path, "utf8").replaceAll(/^\s*\/\/.*$/gm, "")) as Tsconfig

/** Projects with the same options become one program, because they share most of what they import. */
const typePrograms = (): ReadonlyArray<string> => {
  const base = readTsconfig("tsconfig.base.json").compilerOptions
  const all = [...projects, "docs/examples", ".ci"].map((project) => {
    const { compilerOptions, include } = readTsconfig(`${project}/tsconfig.json`)
    return { project, include, options: JSON.stringify({ ...base, ...compilerOptions }) }
  })
  const folder = mkdtempSync("node_modules/.cache/types-")
  process.on("exit", () => rmSync(folder, { recursive: true }))
  return [...Map.groupBy(all, ({ options }) => options).values()].map((group, index) => {
    if (group.length === 1) return `${group[0]!.project}/tsconfig.json`
    const path = `${folder}/${index}.json`
    const include = group.flatMap(({ include, project }) => include.map((pattern) => resolve(project, pattern)))
    writeFileSync(path, JSON.stringify({ extends: resolve(group[0]!.project, "tsconfig.json"), include }))
    return path
  })
}

/** The client runs where there is no Node. */
const WITHOUT_NODE = "packages/client/tsconfig.browser.json"

/** TypeScript's compiler with the rules for Effect in it: one pass over a program checks both. */
const compiler = (): string => execFileSync("effect-tsgo", ["get-exe-path"], { encoding: "utf8" }).trim()

const types = async (): Promise<Verdict> => {
  const path = compiler()
  const verdicts: Array<Verdict> = []
  const checkTypes = (tsconfig: string) => async () => {
    verdicts.push(await tool(path, "-p", tsconfig, "--noEmit", ...ONE_CHECKER))
  }
  await inTurn([...typePrograms(), WITHOUT_NODE].map(checkTypes))
  return { ok: verdicts.every(({ ok }) => ok), text: verdicts.map(({ text }) => text).join("") }
}

const topLevel = new Set([
  "apps",
  "docs",
  "packages",
  "node_modules",
  "LICENSE",
  "SECURITY.md",
  "README.md",
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  "tsconfig.base.json"
])

/** Larger folders need a README that gives the reason. */
const MAX_IN_FOLDER = 20

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

  problems.push(...readmeProblems(publicPackages()))

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

  const sources = globSync("{packages,apps,docs,.ci}/**/*.{ts,tsx}", {
    exclude: (path) => /(^|\/)(node_modules|dist)$/.test(path)
  })
  for (const [folder, files] of Map.groupBy(sources, dirname)) {
    if (files.length > MAX_IN_FOLDER && !existsSync(`${folder}/README.md`)) {
      problems.push(`${folder}: ${files.length} files beside each other, and no README.md says why`)
    }
  }
  return problems
}

const checks: Record<string, () => Verdict | Promise<Verdict>> = {
  types,
  lint: () => tool("oxlint", "--deny-warnings", "--report-unused-disable-directives"),
  format: () => tool("dprint", "check", "--config", ".dprint.json"),
  descriptions: () => tool("node", ".ci/descriptions.ts", "--check"),
  openapi: () => tool("node", ".ci/openapi.ts", "--check"),
  reference: () => tool("node", ".ci/reference.ts", "--check"),
  words: () => verdictOn(wordProblems()),
  unused: () => tool("knip", "--no-progress"),
  layout: () => verdictOn(layoutProblems())
}

const asked = process.argv.slice(2)
const unknown = asked.find((name) => !Object.hasOwn(checks, name))
if (unknown !== undefined) {
  console.error(`no check "${unknown}"; there are: ${Object.keys(checks).join(", ")}`)
  process.exit(2)
}

const failed: Array<string> = []
const run = (name: string) => async () => {
  const started = performance.now()
  const { ok, text } = await checks[name]!()
  if (!ok) {
    failed.push(name)
    keepFailure(name)
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`\n== ${name}: ${ok ? "ok" : "FAILED"} in ${seconds} s${text === "" ? "" : `\n${text.trimEnd()}`}`)
}
await inTurn((asked.length > 0 ? asked : Object.keys(checks)).map(run))

console.log(failed.length === 0 ? "\nall checks passed" : `\nfailed: ${failed.join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1
