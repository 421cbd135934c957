/** Tries what a process that reads files must not be able to do, and lists what worked. */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"

export interface Attempts {
  readonly secretFile: string
  readonly newFile: string
  readonly port: number
}

const DEEDS: Readonly<Record<string, (attempts: Attempts) => unknown>> = {
  "read its own code": () => readFileSync(new URL("../../package.json", import.meta.url)),
  "read a file": ({ secretFile }) => readFileSync(secretFile),
  "read the environment of its parent": () => readFileSync(`/proc/${process.ppid}/environ`),
  "read its own process": () => readFileSync("/proc/self/environ"),
  "write a file": ({ newFile }) => writeFileSync(newFile, "x"),
  "start a program": () => {
    const { error } = spawnSync("/bin/true")
    if (error !== undefined) throw error
  },
  "connect to a port": ({ port }) => once(connect(port, "127.0.0.1"), "connect"),
  "see a variable": () => {
    if (process.env["PATH"] === undefined) throw new Error("There is none.")
  }
}

process.on("message", async (attempts: Attempts) => {
  const done: Array<string> = []
  for (const [name, deed] of Object.entries(DEEDS)) {
    try {
      await deed(attempts)
      done.push(name)
    } catch {
      // It may not.
    }
  }
  process.send!(done, () => process.exit())
})
