/** What `tributary serve` asks of the C library and of Node, which read it only when a process starts. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { tied } from "../../../packages/sources/test/support/programs.ts"
import { IN_MEMORY, main } from "./serverProcess.ts"

const listOf = (pid: number, file: "cmdline" | "environ"): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0")

it.runIf(process.platform === "linux").each([
  [{}, "4194304", true],
  [{ MALLOC_MMAP_THRESHOLD_: "1048576" }, "1048576", false]
])("keeps little memory for later unless the environment decides, %o", async (given, expected, isBounded) => {
  const { MALLOC_MMAP_THRESHOLD_: _one, MALLOC_TRIM_THRESHOLD_: _other, ...inherited } = process.env
  const child = spawn(...tied("KILL", process.execPath, [main, "serve"]), {
    env: { ...inherited, ...IN_MEMORY, TRIBUTARY_PORT: "0", ...given },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "close")
  let printed = ""
  for await (const text of child.stdout.setEncoding("utf8")) {
    printed += text
    if (/listens on/.test(printed)) break
  }
  assert.include(listOf(child.pid!, "environ"), `MALLOC_MMAP_THRESHOLD_=${expected}`)
  assert.strictEqual(listOf(child.pid!, "cmdline").includes("--max-semi-space-size=8"), isBounded)
  child.kill("SIGTERM")
  const [code] = await ended
  assert.strictEqual(code, 0)
})
