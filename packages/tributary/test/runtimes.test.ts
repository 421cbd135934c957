// The library on the other runtimes of TypeScript.
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const RUNTIMES = { bun: "1.4.5", deno: "2.9.6" }
const COMMANDS: ReadonlyArray<readonly [name: string, ...options: ReadonlyArray<string>]> = [
  ["bun"],
  ["deno", "run", "--allow-all"]
]

const program = fileURLToPath(new URL("./support/handbook.ts", import.meta.url))
const run = promisify(execFile)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "runtimes-"))
  const packages = Object.entries(RUNTIMES).map(([name, version]) => `${name}@${version}`)
  await run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...packages])
})

afterAll(() => rm(folder, { recursive: true }))

const ANSWERS = ["The office is closed from December 24 to January 1. [1]", "Keys", "401"]
const REFUSED = /^This file can only be read on Node, /

describe.each(COMMANDS.map((command) => ({ command })))("On $command.0", ({ command: [name, ...options] }) => {
  const linesOf = async (...args: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const { stdout } = await run(join(folder, "node_modules/.bin", name), [...options, program, ...args])
    return stdout.trim().split("\n")
  }

  it("a knowledge base in memory answers, and refuses files that only Node can confine", async () => {
    const [, refusal, ...answers] = await linesOf()
    assert.match(refusal!, REFUSED)
    assert.deepStrictEqual(answers, ANSWERS)
  })

  it("a knowledge base in a directory finds what an earlier process stored", async () => {
    const directory = join(folder, `data-${name}`)
    const [id = "", , ...first] = await linesOf(directory)
    assert.deepStrictEqual(first, ANSWERS)
    assert.deepStrictEqual(await linesOf(directory, id), [id, ...ANSWERS])
  })
})
