import { afterEach, assert, beforeEach, describe, it, vi } from "vitest"
import { following } from "../src/following.ts"

describe("following a list that is newest first", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const feed = () => {
    const entries = ["second", "first"]
    const list = async function*() {
      yield* entries
    }
    return { entries, follow: (from: Parameters<typeof following>[2]) => following(list, (entry) => entry, from) }
  }

  it("shows what is added from now on, oldest first", async () => {
    const { entries, follow } = feed()
    const live = follow({})
    const next = live.next()
    await vi.advanceTimersByTimeAsync(0)
    entries.unshift("fourth", "third")
    await vi.advanceTimersByTimeAsync(1_000)
    assert.deepStrictEqual([(await next).value, (await live.next()).value], ["third", "fourth"])
  })

  it("shows at once what came after an earlier entry", async () => {
    assert.strictEqual((await feed().follow({ after: "first" }).next()).value, "second")
  })

  it("leaves nothing at a signal when it has waited", async () => {
    const { entries, follow } = feed()
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, "addEventListener")
    const removed = vi.spyOn(signal, "removeEventListener")
    const next = follow({ signal }).next()
    await vi.advanceTimersByTimeAsync(2_500)
    entries.unshift("third")
    await vi.advanceTimersByTimeAsync(1_000)
    await next
    assert.lengthOf(added.mock.calls, 3)
    assert.deepStrictEqual(removed.mock.calls, added.mock.calls)
  })
})
