import { assert, test } from "vitest"
import { type Occurrence, within } from "../../src/evidence/Occurrence.ts"

/** One at every third place, and two at every ninth. */
const OCCURRENCES: ReadonlyArray<Occurrence> = Array.from({ length: 3_000 }, (_, at) => [
  { start: 3 * at, position: at, word: 0, isQualified: false },
  ...(at % 3 === 0 ? [{ start: 3 * at, position: at, word: 1, isQualified: false }] : [])
]).flat()

test("what is within a stretch is found without reading the words of the rest of the text", () => {
  let read = 0
  const counted = new Proxy(OCCURRENCES, {
    get: (target, key: string) => {
      if (/^\d+$/.test(key)) read++
      return Reflect.get(target, key)
    }
  })
  for (const [start, end] of [[0, 0], [0, 1], [1, 3], [2, 40], [899, 931], [8_990, 9_100], [9_000, 9_001]] as const) {
    const expected = OCCURRENCES.filter((one) => start <= one.start && one.start < end)
    read = 0
    assert.deepStrictEqual(within(counted, { start, end }), expected, `${start} to ${end}`)
    assert.isBelow(read, 30 + expected.length)
  }
})
