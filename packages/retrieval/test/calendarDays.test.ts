import { assert, describe, it } from "@effect/vitest"
import { calendarDays } from "../src/text/calendarDays.ts"
import { dayOf, tellDays } from "../src/text/dates.ts"

const TODAY = dayOf(new Date("2026-03-10T09:00:00Z"), "UTC")

const named = (text: string): ReadonlyArray<string> => calendarDays(text, TODAY).map(tellDays)

describe("the days that a text names by the calendar", () => {
  it("are told by day and month in any order, with a year or in the nearest one", () => {
    for (
      const [text, ...days] of [
        ["- 12 January 2026: a fall", "12 January 2026"],
        ["on March 12, 2026 and May 3rd", "12 March 2026", "3 May 2026"],
        ["30 December", "30 December 2025"],
        ["2026-02-09 and 9.2.2026", "9 February 2026", "9 February 2026"],
        ["9 to 13 March", "9 March 2026 to 13 March 2026"],
        ["am 18. Mai, le 24 mars, el 18 de marzo", "18 May 2026", "24 March 2026", "18 March 2026"]
      ] as const
    ) assert.deepStrictEqual(named(text), days, text)
  })

  it("may be a whole month or a year", () => {
    assert.deepStrictEqual(named("How many in February?"), ["1 February 2026 to 28 February 2026"])
    assert.deepStrictEqual(named("June 2027"), ["1 June 2027 to 30 June 2027"])
    assert.deepStrictEqual(named("in 2024"), ["1 January 2024 to 31 December 2024"])
  })

  it("are no verbs, versions or days that no month has", () => {
    for (const text of ["may 5 people come", "we march 20 miles", "version 4.3.1", "99 March", "room 2024"]) {
      assert.deepStrictEqual(named(text), [], text)
    }
  })
})
