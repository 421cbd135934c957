/** Runs a command on a pseudo-terminal. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { programPath } from "../../../packages/sources/test/support/programs.ts"
import { COMPILE_CACHE, main } from "./serverProcess.ts"

/** The input to type after each new output. */
export type Typed = readonly [shown: string, typed: string]

/** Types each input once its expected text is shown, and returns the terminal's output. */
export const onTerminal = async (args: ReadonlyArray<string>, env: object, dialogue: ReadonlyArray<Typed>) => {
  const quoted = [process.execPath, main, ...args].map((word) => `'${word}'`).join(" ")
  const child = spawn(programPath("script")!, ["--quiet", "--return", "--command", quoted, "/dev/null"], {
    env: { ...process.env, ...COMPILE_CACHE, ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  let shown = ""
  let read = 0
  const left = [...dialogue]
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text
    while (left[0] !== undefined) {
      const [awaited, typed] = left[0]
      const at = shown.indexOf(awaited, read)
      if (at === -1) return
      read = at + awaited.length
      left.shift()
      child.stdin.write(typed)
    }
  })
  const [code] = await once(child, "close") as [number]
  return { code, shown }
}
