import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { Ordered } from "../src/internal/Ordered.ts"

interface Item {
  readonly at: number
}

const place = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))

const Steps = Schema.Array(Schema.Struct({ adds: Schema.Boolean, at: place, from: place, limit: place }))
  .check(Schema.isMaxLength(60))

it.prop("pages like a sorted array of the same items", [Steps], ([steps]) => {
  const ordered = new Ordered<Item>((left, right) => left.at - right.at)
  const items = new Map<number, Item>()
  for (const { adds, at, from, limit } of steps) {
    const item = items.get(at)
    if (adds && item === undefined) {
      items.set(at, { at })
      ordered.add(items.get(at)!)
    } else if (!adds && item !== undefined) {
      items.delete(at)
      ordered.remove(item)
    }
    const sorted = [...items.keys()].sort((left, right) => left - right)
    const isPast = (item: Item) => item.at >= from
    const isOdd = (item: Item) => item.at % 2 === 1
    const places = (found: ReadonlyArray<Item>) => found.map(({ at }) => at)
    assert.strictEqual(ordered.size, sorted.length)
    assert.strictEqual(ordered.countFrom(isPast), sorted.filter((at) => at >= from).length)
    assert.deepStrictEqual(places(ordered.ascending(limit, isPast)), sorted.filter((at) => at >= from).slice(0, limit))
    assert.deepStrictEqual(
      places(ordered.descending(limit, isPast, isOdd)),
      sorted.filter((at) => at < from && at % 2 === 1).reverse().slice(0, limit)
    )
  }
}, { arbitrary: { runs: 200, size: 60 } })

it("puts an item back into its place", () => {
  const ordered = new Ordered<Item>((left, right) => left.at - right.at)
  const items = [{ at: 1 }, { at: 2 }, { at: 3 }]
  for (const item of items) ordered.add(item)
  ordered.remove(items[0]!)
  ordered.add(items[0]!)
  assert.deepStrictEqual(ordered.ascending(9, () => true), items)
  for (const item of items) ordered.remove(item)
  ordered.add(items[1]!)
  ordered.add(items[0]!)
  assert.deepStrictEqual(ordered.ascending(9, () => true), [{ at: 1 }, { at: 2 }])
})
