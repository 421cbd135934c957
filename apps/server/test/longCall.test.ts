/** Commands that are in one long call of the database end at once when they are interrupted. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { assert, describe, it, onTestFinished } from "vitest"
import { endedBySignals } from "../src/commands/transfer/longCall.ts"

const module = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href)

/** A command whose call never ends, and never gives a turn to the event loop. */
const PROGRAM = `
  import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
  import * as Effect from "effect/Effect"
  import { endedBySignals } from ${module("../src/commands/transfer/longCall.ts")}
  NodeRuntime.runMain(endedBySignals(Effect.sync(() => {
    process.stdout.write("begun")
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })))`

describe("A long call", () => {
  it.each(["SIGHUP", "SIGINT", "SIGTERM"] as const)("is ended by %s", async (signal) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", PROGRAM], {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      stdio: ["ignore", "pipe", "inherit"]
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    await once(child.stdout, "data")
    child.kill(signal)
    assert.deepStrictEqual(await once(child, "exit"), [null, signal])
  })

  it("leaves the listeners of signals as they were", async () => {
    const listener = () => {}
    process.on("SIGINT", listener)
    const before = process.listeners("SIGINT")
    const within = await Effect.runPromise(endedBySignals(Effect.sync(() => process.listenerCount("SIGINT"))))
    assert.strictEqual(within, 0)
    assert.deepStrictEqual(process.listeners("SIGINT"), before)
    process.off("SIGINT", listener)
  })
})
