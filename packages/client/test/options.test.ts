// Numbers that make no sense, given to a client or to one of its calls.
import { assert, describe, it } from "vitest"
import { createClient } from "../src/promise.ts"

const address = { baseUrl: "http://service", apiKey: "key" }

describe("A client", () => {
  it.each([
    [{ timeout: 0 }, "timeout"],
    [{ attemptTimeout: Infinity }, "attemptTimeout"],
    [{ retries: { attempts: 0 } }, "retries.attempts"],
    [{ retries: { attempts: 1.5 } }, "retries.attempts"],
    [{ retries: { minimumDelay: -1 } }, "retries.minimumDelay"],
    [{ retries: { maximumWait: NaN } }, "retries.maximumWait"]
  ])("is not made with %j", (options, name) => {
    assert.throws(() => createClient({ ...address, ...options }), TypeError, `The option "${name}" must be a `)
  })

  it("sends nothing for a call without a sensible timeout", async () => {
    let sent = 0
    const client = createClient({ ...address, fetch: async () => (sent++, Response.json({})) })
    for (const timeout of [0, -1, NaN, Infinity]) {
      const calls = [client.usage({ timeout }), client.knowledge.waitUntilUpToDate({ timeout })]
      for (const call of calls) {
        const error: unknown = await call.catch((error: unknown) => error)
        assert.instanceOf(error, Error)
        assert.match(error.message, /^The option "timeout" must be a number from 1 to \d+, not /)
      }
    }
    assert.strictEqual(sent, 0)
  })
})
