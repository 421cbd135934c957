import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isReversed, overlaps, resolveRange } from "../../src/model/TemporalRange.ts"

const DAY = 86_400_000
const at = (text: string): number => Date.parse(text)

const Days = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 36_500 }))
const Now = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: at("9999-12-31T23:59:59.999Z") }))
const Moment = Schema.Int.check(Schema.isBetween({ minimum: -1_000, maximum: 1_000 }))

describe("a range", () => {
  it("without bounds contains every time", () => {
    const range = resolveRange({ start: null, end: null }, at("2026-05-05T12:00:00Z"))
    assert.deepStrictEqual(range, { from: -Infinity, to: Infinity })
    assert.isTrue(overlaps(range, at("0001-01-01T00:00:00Z"), at("0001-01-01T00:00:00Z")))
    assert.isTrue(overlaps(range, at("9999-12-31T23:59:59.999Z"), at("9999-12-31T23:59:59.999Z")))
  })

  it("of fixed dates covers both days completely", () => {
    const range = resolveRange(
      { start: { type: "date", date: "2024-02-29" }, end: { type: "date", date: "2024-03-01" } },
      at("2030-01-01T00:00:00Z")
    )
    assert.deepStrictEqual(range, { from: at("2024-02-29T00:00:00Z"), to: at("2024-03-02T00:00:00Z") })
    const same = resolveRange({
      start: { type: "date", date: "2024-02-29" },
      end: { type: "date", date: "2024-02-29" }
    }, 0)
    assert.isFalse(isReversed(same))
    assert.strictEqual(same.to - same.from, DAY)
  })

  it("reaches the last and the first day of the calendar", () => {
    const range = resolveRange({
      start: { type: "date", date: "0001-01-01" },
      end: { type: "date", date: "9999-12-31" }
    }, 0)
    assert.strictEqual(range.from, at("0001-01-01T00:00:00.000Z"))
    assert.strictEqual(range.to, at("9999-12-31T00:00:00.000Z") + DAY)
    const last = at("9999-12-31T23:59:59.999Z")
    assert.isTrue(overlaps(range, last, last))
    assert.isFalse(isReversed(range))
  })

  it.prop(
    "of relative bounds is whole UTC days around today, at every hour",
    [Days, Days, Now],
    ([back, ahead, now]) => {
      const { from, to } = resolveRange({
        start: { type: "relative", days: back },
        end: { type: "relative", days: ahead }
      }, now)
      const midnight = new Date(now).setUTCHours(0, 0, 0, 0)
      assert.strictEqual(from, midnight - back * DAY)
      assert.strictEqual(to, midnight + (ahead + 1) * DAY)
    }
  )

  it("moves at midnight UTC", () => {
    const settings = { start: { type: "relative", days: 1 }, end: null } as const
    assert.strictEqual(resolveRange(settings, at("2026-03-01T23:59:59.999Z")).from, at("2026-02-28T00:00:00Z"))
    assert.strictEqual(resolveRange(settings, at("2026-03-02T00:00:00.000Z")).from, at("2026-03-01T00:00:00Z"))
  })

  it("that ends before it starts is reversed, mixed or not", () => {
    const now = at("2026-03-01T12:00:00Z")
    const isRefused = (start: string, end: string) =>
      isReversed(resolveRange({ start: { type: "date", date: start }, end: { type: "date", date: end } }, now))
    assert.isTrue(isRefused("2026-03-02", "2026-03-01"))
    assert.isFalse(isRefused("2026-03-01", "2026-03-01"))
    const mixed = (date: string) =>
      isReversed(resolveRange({ start: { type: "date", date }, end: { type: "relative", days: 1 } }, now))
    assert.isTrue(mixed("2026-03-03"))
    assert.isFalse(mixed("2026-03-02"))
  })

  it.prop("contains an interval exactly if they overlap", [Moment, Moment, Moment, Moment], ([a, b, c, d]) => {
    const range = { from: Math.min(a, b), to: Math.max(a, b) }
    const [from, to] = [Math.min(c, d), Math.max(c, d)]
    const shared = from === to
      ? from >= range.from && from < range.to
      : Math.max(from, range.from) < Math.min(to, range.to) || (from >= range.from && from < range.to)
    assert.strictEqual(overlaps(range, from, to), shared)
  })

  it("that is empty contains nothing, not even an interval around it", () => {
    assert.isFalse(overlaps({ from: 5, to: 5 }, 0, 10))
    assert.isFalse(overlaps({ from: 5, to: 5 }, 5, 5))
    assert.isTrue(overlaps({ from: 5, to: 6 }, 0, 10))
  })
})
