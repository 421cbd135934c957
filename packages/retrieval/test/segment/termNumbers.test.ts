import { assert, describe, it } from "@effect/vitest"
import { numberLimit, TermNumbers, writeTermNumbers } from "../../src/segment/terms/termNumbers.ts"
import { firstByteOf, lengthFrom } from "../../src/segment/forwardIndex.ts"

/** Terms that occur in this many chunks each. */
const termNumbers = (frequencies: ReadonlyArray<number>): TermNumbers => {
  const offsets = new Uint32Array(frequencies.length + 1)
  frequencies.forEach((frequency, place) => (offsets[place + 1] = offsets[place]! + frequency))
  return new TermNumbers(writeTermNumbers(offsets))
}

const numbersOf = (frequencies: ReadonlyArray<number>): ReadonlyArray<number> => {
  const numbers = termNumbers(frequencies)
  return frequencies.map((_, place) => numbers.at(place))
}

/** Of many kinds, in no order. */
const MANY = Array.from({ length: 30_000 }, (_, place) => 1 + (place * 7_919) % 200)

describe("term numbers", () => {
  it("ascend alphabetically among one-byte, two-byte and other codes", () => {
    const numbers = numbersOf(MANY)
    for (const length of [1, 2, 3]) {
      const alike = numbers.filter((number) => lengthFrom(firstByteOf(number)) === length)
      assert.deepStrictEqual(alike, [...new Set(alike)].sort((left, right) => left - right))
      assert.isAbove(alike.length, 0)
    }
  })

  it("take fewer bytes for more frequent terms, ties by name", () => {
    const numbers = numbersOf(MANY)
    const byFrequency = [...MANY.keys()].sort((left, right) => MANY[right]! - MANY[left]! || left - right)
    const lengths = byFrequency.map((place) => lengthFrom(firstByteOf(numbers[place]!)))
    assert.deepStrictEqual(lengths, lengths.toSorted())
    assert.deepStrictEqual([1, 2, 3].map((length) => lengths.filter((one) => one === length).length), [
      128,
      23_040,
      6_832
    ])
  })

  it("stay below a limit, and use all of it", () => {
    for (const count of [0, 1, 127, 128, 129, 1_000, 23_168, 23_169]) {
      const numbers = numbersOf(MANY.slice(0, count))
      assert.isTrue(numbers.every((number) => number < numberLimit(count)))
      if (count <= 23_168) assert.deepStrictEqual(numbers.toSorted((left, right) => left - right), [...numbers.keys()])
    }
  })

  it("lead back to the index in the dictionary", () => {
    for (const count of [1, 9, 128, 129, 1_000, 30_000]) {
      const numbers = termNumbers(MANY.slice(0, count))
      for (let place = 0; place < count; place++) assert.strictEqual(numbers.placeOf(numbers.at(place)), place)
    }
  })
})
