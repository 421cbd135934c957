import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { dayOf, relativeDays, tellDays } from "../src/text/dates.ts"

/** A Tuesday. */
const TODAY = dayOf(new Date("2026-03-10T12:00:00Z"), "UTC")

const told = (text: string) => relativeDays(text, TODAY).map(tellDays)

describe("a day named by how far it is", () => {
  it("is counted from the day of the text", () => {
    assert.deepStrictEqual(told("It was yesterday, and will be tomorrow."), ["9 March 2026", "11 March 2026"])
    assert.deepStrictEqual(told("the day after tomorrow"), ["12 March 2026"])
    assert.deepStrictEqual(told("three days ago, in two weeks, a year ago"), [
      "7 March 2026",
      "23 March 2026 to 29 March 2026",
      "1 January 2025 to 31 December 2025"
    ])
  })

  it("may be a day of the week", () => {
    assert.deepStrictEqual(told("last Friday, next Thursday, this Sunday"), [
      "6 March 2026",
      "19 March 2026",
      "15 March 2026"
    ])
    assert.deepStrictEqual(told("last Tuesday, next Tuesday"), ["3 March 2026", "17 March 2026"])
  })

  it("may be a week, a month or a year, also across the turn of the year", () => {
    assert.deepStrictEqual(told("last week, next month, this year"), [
      "2 March 2026 to 8 March 2026",
      "1 April 2026 to 30 April 2026",
      "1 January 2026 to 31 December 2026"
    ])
    assert.deepStrictEqual(relativeDays("next month", dayOf(new Date("2026-12-31T12:00:00Z"), "UTC")).map(tellDays), [
      "1 January 2027 to 31 January 2027"
    ])
  })

  it("is told by the calendar of whoever asks", () => {
    const late = new Date("2026-03-10T23:30:00Z")
    assert.strictEqual(tellDays({ first: dayOf(late, "UTC"), last: dayOf(late, "UTC") }), "10 March 2026")
    assert.strictEqual(dayOf(late, "Asia/Tokyo"), dayOf(late, "UTC") + 1)
    assert.strictEqual(dayOf(new Date("2026-03-11T02:00:00Z"), "America/New_York"), dayOf(late, "UTC"))
  })

  it("is no other word", () => {
    assert.deepStrictEqual(told("the last budget, next steps, weekly, 3 days, todays, on Monday"), [])
  })

  it.prop("is a stretch that never ends before it begins", [
    Schema.Int.check(Schema.isBetween({ minimum: -40_000, maximum: 40_000 }))
  ], ([today]) => {
    for (
      const { first, last } of relativeDays("last week, next Friday, in two months, a year ago, this Sunday", today)
    ) {
      assert.isAtMost(first, last)
    }
  }, { arbitrary: { runs: 100 } })
})
