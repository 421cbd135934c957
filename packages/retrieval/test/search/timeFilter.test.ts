import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { blockedIn, countDocuments, type FilterOptions } from "../../src/search/filter.ts"
import { TIME_BLOCK } from "../../src/segment/bytes/TimeColumns.ts"
import { document, segmentOf } from "../support/segments.ts"

/** Full blocks and a part of one. */
const COUNT = 3 * TIME_BLOCK + 40

const inRange = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Few different times, so that they often equal a bound. */
const Times = Schema.Struct({
  /** Documents in a row whose times are out of order. */
  shuffled: Schema.Literals([1, 20, TIME_BLOCK, COUNT]),
  /** Documents with the same time. */
  each: Schema.Literals([32, 100, TIME_BLOCK]),
  /** How long some documents last. */
  lasts: Schema.Literals([0, 1, 9])
})

const Moment = Schema.NullOr(inRange(-1, 27))

const Bounds = Schema.Struct({
  overlapping: Schema.Array(Schema.Tuple([Moment, Moment])).check(Schema.isMaxLength(3)),
  outside: Schema.NullOr(Schema.Tuple([Moment, Moment]))
})

const timesOf = ({ each, lasts, shuffled }: typeof Times.Type) =>
  Array.from({ length: COUNT }, (_, at) => {
    const row = at - at % shuffled
    // The step has no divisor in common with a length, so that each place occurs once.
    const place = row + (at % shuffled) * 787 % Math.min(shuffled, COUNT - row)
    const from = Math.floor(place / each)
    return { from, to: at % 7 === 0 ? from + lasts : from }
  })

const intervalOf = (from: number | null, to: number | null) => ({ from: from ?? -Infinity, to: to ?? Infinity })

const filterOf = ({ outside, overlapping }: typeof Bounds.Type): FilterOptions => ({
  overlapping: overlapping.map((bounds) => intervalOf(...bounds)),
  ...outside === null ? {} : { outside: intervalOf(...outside) }
})

const segmentAt = (times: ReadonlyArray<{ readonly from: number; readonly to: number }>) =>
  segmentOf(times.map((time, number) => document(number, ["plan"], time)))

describe("a time filter", () => {
  it.prop(
    "passes the documents that overlap each of its ranges and not the other one",
    [Times, Bounds],
    ([order, bounds]) => {
      const times = timesOf(order)
      const part = segmentAt(times)
      const { outside, overlapping = [] } = filterOf(bounds)
      const isIn = (at: number) => ({ from, to }: ReturnType<typeof intervalOf>) =>
        from < to && times[at]!.from < to && (times[at]!.to > from || times[at]!.from >= from)
      const passing = [...times.keys()].filter((at) => overlapping.every(isIn(at)) && !(outside && isIn(at)(outside)))
      assert.strictEqual(countDocuments([part], filterOf(bounds)), passing.length)
      if (passing.length === 0) return
      const blocked = blockedIn(part, filterOf(bounds))
      assert.deepStrictEqual([...times.keys()].filter((at) => blocked?.[at] !== 1), passing)
    },
    { arbitrary: { runs: 100 } }
  )

  it("looks only at documents near its bounds", () => {
    const { mask, segment } = segmentAt(Array.from({ length: COUNT }, (_, at) => ({ from: at, to: at })))
    let looked = 0
    const fromOf = segment.fromOf.bind(segment)
    segment.fromOf = (document) => {
      looked++
      return fromOf(document)
    }
    assert.strictEqual(countDocuments([{ mask, segment }], { overlapping: [{ from: 300, to: Infinity }] }), COUNT - 300)
    assert.isAtMost(looked, TIME_BLOCK)
  })
})
