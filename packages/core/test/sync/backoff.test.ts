import { assert, describe, it } from "@effect/vitest"
import { backoff, syncAfterFailures } from "../../src/sync/backoff.ts"

const MIDDLE = 0.5
const MINUTE = 60_000
const DAY = 1_440 * MINUTE

describe("the delay after failures in a row", () => {
  it("doubles from half a minute up to an hour, with 25 % jitter", () => {
    assert.deepStrictEqual([1, 2, 3, 8, 9, 1_000].map((failures) => backoff(failures, undefined, MIDDLE)), [
      MINUTE / 2,
      MINUTE,
      2 * MINUTE,
      60 * MINUTE,
      60 * MINUTE,
      60 * MINUTE
    ])
    assert.strictEqual(backoff(2, undefined, 0), 0.75 * MINUTE)
    assert.strictEqual(backoff(2, undefined, 1), 1.25 * MINUTE)
  })

  it("respects the Retry-After of the source, up to a day", () => {
    assert.strictEqual(backoff(1, 7_200, 0), 120 * MINUTE)
    assert.strictEqual(backoff(1, 1, MIDDLE), MINUTE / 2)
    assert.strictEqual(backoff(1, 999_999_999, 0), DAY)
  })

  it("doubles from the interval up to a day for permanent errors", () => {
    const delay = (interval_minutes: number, failures: number, random = MIDDLE) =>
      syncAfterFailures({ sync_config: { start: null, interval_minutes } }, failures, 0, random).getTime()
    assert.deepStrictEqual([1, 2, 3, 9, 1_000].map((failures) => delay(15, failures)), [
      15 * MINUTE,
      30 * MINUTE,
      60 * MINUTE,
      DAY,
      DAY
    ])
    assert.strictEqual(delay(43_200, 5), 30 * DAY)
    assert.strictEqual(delay(10, 1, 0), 9 * MINUTE)
  })
})
