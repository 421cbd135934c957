/** Sets of texts that keep 64 bits of each. */
import { assert, describe, it } from "@effect/vitest"
import { DigestSet } from "../../src/ingest/DigestSet.ts"

const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `files/${from + at}.txt`)

const holding = (all: ReadonlyArray<string>) => {
  const set = new DigestSet()
  for (const text of all) set.add(text)
  return set
}

describe("a set of digests", () => {
  it("contains exactly what was added, in any amount and repetition", () => {
    const set = holding([...texts(0, 5_000), ...texts(0, 5_000)])
    assert.isTrue(texts(0, 5_000).every((text) => set.has(text)))
    assert.isFalse(texts(5_000, 10_000).some((text) => set.has(text)))
    assert.strictEqual(set.digests().length, 5_000)
  })

  it("can be restored from its digests, and extended", () => {
    const set = new DigestSet(holding(texts(0, 100)).digests())
    for (const text of texts(100, 200)) set.add(text)
    assert.isTrue(texts(0, 200).every((text) => set.has(text)))
    assert.strictEqual(set.digests().length, 200)
  })

  it("numbers its entries, each once", () => {
    const set = holding([...texts(0, 5_000), ...texts(0, 5_000)])
    const numbers = new Set(texts(0, 5_000).map((text) => set.indexOf(text)))
    assert.deepStrictEqual([...numbers].toSorted((a, b) => a - b), Array.from({ length: set.size }, (_, at) => at))
    assert.strictEqual(set.indexOf("files/5000.txt"), -1)
  })

  it("is empty at first, and for invalid digests", () => {
    assert.isFalse(new DigestSet(new BigUint64Array(8)).has("a"))
    assert.strictEqual(new DigestSet().digests().length, 0)
  })
})
