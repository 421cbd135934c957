import { spawn } from "node:child_process"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import { Supervised } from "../src/Supervised.ts"

/** Threads that run this program, and how many were started. */
const running = (program: string, idleMillis = 60_000) => {
  const count = { started: 0 }
  const thread = new Supervised<string, string>(() => {
    count.started++
    return new Worker(program, { eval: true })
  }, idleMillis)
  const ask = (message: string) => {
    const answer = thread.answer()
    thread.post(message)
    return answer
  }
  return { ask, count, thread }
}

const reasonOf = (answer: Promise<string>) => answer.then(() => null, ({ message }: Error) => message)

const ECHO = `require("node:worker_threads").parentPort.on("message", (text) => {
  if (text === "fall") throw new Error("it fell")
  if (text !== "wait") require("node:worker_threads").parentPort.postMessage(text)
})`

describe("a supervised process", () => {
  it("reports why it ended, and restarts with the next message", async () => {
    const { ask, count, thread } = running(ECHO)
    assert.strictEqual(await ask("one"), "one")
    assert.strictEqual(await reasonOf(ask("fall")), "it fell")
    assert.isFalse(thread.isRunning)
    assert.strictEqual(await ask("two"), "two")
    const waiting = reasonOf(ask("wait"))
    await thread.kill()
    assert.strictEqual(await waiting, "it was ended")
    assert.strictEqual(count.started, 2)
  })

  it("restarts with exponential backoff if it ends before its first message", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    try {
      const { ask, count } = running("process.exit(3)")
      for (const pause of [0, 0, 50, 100, 200, 400, 800, 1_000, 1_000]) {
        const before = count.started
        const reason = reasonOf(ask("one"))
        if (pause > 0) {
          vi.advanceTimersByTime(pause - 1)
          assert.strictEqual(count.started, before)
          vi.advanceTimersByTime(1)
        }
        assert.strictEqual(await reason, "it ended (3)")
        assert.strictEqual(count.started, before + 1)
      }
    } finally {
      vi.useRealTimers()
    }
  })

  it("reports that it cannot start", async () => {
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const
    const child = new Supervised<string, string>(() => spawn("/nowhere", [], { stdio: [...stdio] }), 60_000)
    const answer = child.answer()
    child.start()
    assert.include(await reasonOf(answer), "ENOENT")
  })
})
