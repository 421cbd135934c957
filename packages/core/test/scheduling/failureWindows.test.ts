import { assert, test } from "@effect/vitest"
import { failureWindows } from "../../src/scheduling/failureWindows.ts"

const LIMIT = { limit: 2, window_seconds: 60 }

test("after too many failures the next attempt waits until the window ends, and no longer if the clock is set back", () => {
  const { fail, wait } = failureWindows()
  const now = 7_200_000
  fail("Ada", LIMIT, now)
  assert.strictEqual(wait("Ada", LIMIT, now), 0)
  fail("Ada", LIMIT, now + 1)
  assert.strictEqual(wait("Ada", LIMIT, now + 1), 60)
  assert.strictEqual(wait("Ada", LIMIT, now + 59_999), 1)
  assert.strictEqual(wait("Ada", LIMIT, now + 60_000), 0)
  assert.strictEqual(wait("Grace", LIMIT, now + 1), 0)
  assert.strictEqual(wait("Ada", LIMIT, now - 3_600_000), 0)
  fail("Ada", LIMIT, now - 3_600_000)
  assert.strictEqual(wait("Ada", LIMIT, now - 3_600_000), 0)
  fail("Ada", LIMIT, now - 3_600_000)
  assert.strictEqual(wait("Ada", LIMIT, now - 3_600_000), 60)
})

test("a failure may count for several", () => {
  const { fail, wait } = failureWindows()
  fail("Ada", LIMIT, 0, 2)
  assert.strictEqual(wait("Ada", LIMIT, 1), 60)
})
