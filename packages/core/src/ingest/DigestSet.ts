/**
 * A set of texts that stores 64 bits of each. All texts are added before the first lookup.
 *
 * There are no false negatives. False positives are rare: with a million texts, one in 20 million million lookups.
 */
import { sha256HexNow } from "../internal/sha256.ts"

const digest = (text: string): bigint => BigInt(`0x${sha256HexNow(text).slice(0, 16)}`)

/** How many are added to one array. */
const RUN = 4_096

export class DigestSet {
  /** Sorted and unique. */
  #sorted: BigUint64Array<ArrayBuffer>
  /** Digests added since; the last array is filled up to `#free`. */
  #runs: Array<BigUint64Array> = []
  #free = RUN

  /** `digests` as returned by `DigestSet.digests` of another set. */
  constructor(digests: BigUint64Array = new BigUint64Array()) {
    this.#sorted = digests.toSorted()
  }

  add(text: string): void {
    if (this.#free === RUN) {
      this.#runs.push(new BigUint64Array(RUN))
      this.#free = 0
    }
    this.#runs.at(-1)![this.#free++] = digest(text)
  }

  get size(): number {
    this.#sort()
    return this.#sorted.length
  }

  has(text: string): boolean {
    return this.indexOf(text) !== -1
  }

  /** A number below `size`, unique for each text; -1 for a text that is not in the set. */
  indexOf(text: string): number {
    this.#sort()
    const wanted = digest(text)
    let [from, to] = [0, this.#sorted.length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if (this.#sorted[middle]! < wanted) from = middle + 1
      else to = middle
    }
    return this.#sorted[from] === wanted ? from : -1
  }

  digests(): BigUint64Array<ArrayBuffer> {
    this.#sort()
    return this.#sorted.slice()
  }

  #sort(): void {
    const last = this.#runs.pop()
    if (last === undefined) return
    const runs = [this.#sorted, ...this.#runs, last.subarray(0, this.#free)]
    const all = new BigUint64Array(runs.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const run of runs) {
      all.set(run, at)
      at += run.length
    }
    all.sort()
    let kept = 0
    for (const one of all) if (kept === 0 || one !== all[kept - 1]) all[kept++] = one
    this.#sorted = all.subarray(0, kept)
    this.#runs = []
    this.#free = RUN
  }
}
