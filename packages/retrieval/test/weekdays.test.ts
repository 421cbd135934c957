import { assert, describe, it } from "@effect/vitest"
import { dayOf, tellDays } from "../src/text/dates.ts"
import { daysIn } from "../src/extractive/weekdays.ts"

/** A Tuesday. */
const TODAY = dayOf(new Date("2026-03-10T12:00:00Z"), "UTC")

const told = (text: string) =>
  daysIn(text, TODAY).map((days) => `${text.slice(days.start, days.end)}: ${tellDays(days)}`)

describe("a day of the week that stands alone", () => {
  it("is the last one in what is over", () => {
    assert.deepStrictEqual(told("Sofia borrowed it on Monday."), ["Monday: 9 March 2026"])
    assert.deepStrictEqual(told("We went there on Wednesday."), ["Wednesday: 4 March 2026"])
    assert.deepStrictEqual(told("It is down since Friday."), ["Friday: 6 March 2026"])
  })

  it("is the next one in what is to come", () => {
    assert.deepStrictEqual(told("The painters are here on Monday."), ["Monday: 16 March 2026"])
    assert.deepStrictEqual(told("Please send it by Friday."), ["Friday: 13 March 2026"])
    assert.deepStrictEqual(told("Bikes go to the basement from Monday."), ["Monday: 16 March 2026"])
    assert.deepStrictEqual(told("The office is closed on Thursday."), ["Thursday: 12 March 2026"])
  })

  it("is told by its own sentence, beside days that are named by their distance", () => {
    assert.deepStrictEqual(told("It broke on Monday. It will be mended on Friday, or tomorrow."), [
      "Monday: 9 March 2026",
      "Friday: 13 March 2026",
      "tomorrow: 11 March 2026"
    ])
  })

  it("is the one of the week that is named beside it", () => {
    assert.deepStrictEqual(told("Delivery is on Thursday next week."), ["Thursday next week: 19 March 2026"])
    assert.deepStrictEqual(told("He visits you in two weeks, on Monday at 10:00."), [
      "in two weeks, on Monday: 23 March 2026"
    ])
    assert.deepStrictEqual(told("We meet next week."), ["next week: 16 March 2026 to 22 March 2026"])
  })

  it("stays open where nothing tells, on that day itself, every week, and where a date follows", () => {
    const open = [
      "Lunch on Monday.",
      "It was said that they will come on Monday.",
      "He came on Tuesday.",
      "Interviews are on Thursdays.",
      "They arrived on Thursday 5 March.",
      "They arrived on Thursday, March 5."
    ]
    assert.deepStrictEqual(open.flatMap(told), [])
  })
})
