/** Loaded before a server, in its process: sends a test the number of bytes in use. */
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Some memory is released only by a second collection. */
const COLLECTIONS = 3

const report = async () => {
  for (let count = 0; count < COLLECTIONS; count++) {
    collect()
    await setImmediate()
  }
  const { external, heapUsed } = process.memoryUsage()
  process.send?.(external + heapUsed)
}

// Threads of the server load this, too, and have no channel.
if (process.channel) {
  process.on("message", () => void report())
  process.channel.unref()
}
