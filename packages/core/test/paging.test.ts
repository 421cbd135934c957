// Cursors and pages: decisions.md §2.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { paged } from "../src/internal/paged.ts"
import { cursorOf } from "../src/model/Cursor.ts"
import type { Page } from "../src/model/Page.ts"

const numbers = cursorOf("numbers", Schema.Int)

/** The numbers up to `last`, and how often they were read. */
const upTo = (last: number) => {
  const state = { reads: 0 }
  const page = (cursor: string | null, limit: number, isWanted?: (row: number) => boolean) =>
    paged(numbers, { cursor, limit }, (row: number) => row, (after, most) =>
      Effect.sync(() => {
        state.reads++
        const first = (after ?? 0) + 1
        return Array.from({ length: Math.min(most, last - first + 1) }, (_, at) => first + at)
      }), isWanted)
  return { page, state }
}

describe("a cursor", () => {
  it.effect("is refused by every other list, even with the same keys", () =>
    Effect.gen(function*() {
      const others = cursorOf("other numbers", Schema.Int)
      const cursor = numbers.encode(7)
      assert.strictEqual(yield* numbers.decode(cursor), 7)
      assert.isFalse(others.accepts(cursor))
      assert.strictEqual((yield* Effect.flip(others.decode(cursor)))._tag, "InvalidCursor")
    }))
})

describe("a page", () => {
  it.effect("has no cursor if nothing follows, and takes one read to know that", () =>
    Effect.gen(function*() {
      const { page, state } = upTo(5)
      assert.deepStrictEqual(yield* page(null, 5), { items: [1, 2, 3, 4, 5], next: null })
      assert.strictEqual(state.reads, 1)
      assert.deepStrictEqual(yield* page(null, 4), { items: [1, 2, 3, 4], next: numbers.encode(4) })
      assert.deepStrictEqual(yield* page(numbers.encode(4), 4), { items: [5], next: null })
    }))

  it.effect("of long rows is shorter, has at least one, and is read in small steps", () =>
    Effect.gen(function*() {
      const asked: Array<number> = []
      const page = (cursor: string | null, lengthOf: (row: number) => number) =>
        paged(
          numbers,
          { cursor, limit: 1_000 },
          (row: number) => row,
          (after, most) =>
            Effect.sync(() => {
              asked.push(most)
              return Array.from({ length: most }, (_, at) => (after ?? 0) + 1 + at)
            }),
          undefined,
          lengthOf
        )
      const long = yield* page(null, () => 100_000)
      assert.deepStrictEqual([long.items.length, long.next], [40, numbers.encode(40)])
      assert.deepStrictEqual((yield* page(long.next, () => 9_000_000)).items, [41])
      assert.deepStrictEqual(asked.splice(0), [201, 201])
      const short = yield* page(null, () => 4_000)
      assert.deepStrictEqual([short.items.length, short.next], [1_000, numbers.encode(1_000)])
      assert.deepStrictEqual(asked, [201, 1_001])
    }))

  it.effect("passes over ten thousand rows at most, and the next one continues there", () =>
    Effect.gen(function*() {
      const { page } = upTo(25_000)
      const isWanted = (row: number) => row === 24_999
      const pages = []
      for (let cursor: string | null = null; pages.length === 0 || cursor !== null;) {
        const { items, next }: Page<number> = yield* page(cursor, 99, isWanted)
        pages.push(items)
        cursor = next
      }
      assert.deepStrictEqual(pages, [[], [], [24_999]])
    }))
})
