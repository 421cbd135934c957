/**
 * Items in an order, read in pages from anywhere.
 *
 * Nearly everything arrives in order, so an item is appended, and the array is sorted again only when one did not and
 * someone reads. Removed items stay in place, unseen, until they are half of the array: both keep a change at
 * constant cost, and a page at a binary search and a walk.
 */

const always = (): boolean => true

export class Ordered<A extends object> {
  readonly #compare: (left: A, right: A) => number
  readonly #removed = new Set<A>()
  #items: Array<A> = []
  #sorted = true

  constructor(compare: (left: A, right: A) => number) {
    this.#compare = compare
  }

  get size(): number {
    return this.#items.length - this.#removed.size
  }

  /** An item may be removed and added again as long as its place stays the same. */
  add(item: A): void {
    if (this.#removed.delete(item)) return
    const last = this.#items.at(-1)
    if (last !== undefined && this.#compare(last, item) > 0) this.#sorted = false
    this.#items.push(item)
  }

  remove(item: A): void {
    this.#removed.add(item)
    if (this.#removed.size * 2 <= this.#items.length) return
    this.#items = this.#items.filter((item) => !this.#removed.has(item))
    this.#removed.clear()
  }

  /** The first `limit` items that are accepted, from where `isPast` begins to hold. */
  ascending(limit: number, isPast: (item: A) => boolean, accepts: (item: A) => boolean = always): Array<A> {
    const found: Array<A> = []
    for (let at = this.#firstPast(isPast); at < this.#items.length && found.length < limit; at++) {
      const item = this.#items[at]!
      if (!this.#removed.has(item) && accepts(item)) found.push(item)
    }
    return found
  }

  /** The first `limit` items that are accepted, from the beginning. */
  where(accepts: (item: A) => boolean = always, limit = Infinity): Array<A> {
    return this.ascending(limit, always, accepts)
  }

  /** The last `limit` items that are accepted, backwards from where `isPast` begins to hold, without that place. */
  descending(limit: number, isPast: (item: A) => boolean, accepts: (item: A) => boolean = always): Array<A> {
    const found: Array<A> = []
    for (let at = this.#firstPast(isPast) - 1; at >= 0 && found.length < limit; at--) {
      const item = this.#items[at]!
      if (!this.#removed.has(item) && accepts(item)) found.push(item)
    }
    return found
  }

  /** The number of items from the first one for which `isPast` holds. */
  countFrom(isPast: (item: A) => boolean): number {
    const first = this.#firstPast(isPast)
    if (first === 0) return this.size
    let count = 0
    for (let at = first; at < this.#items.length; at++) if (!this.#removed.has(this.#items[at]!)) count++
    return count
  }

  #firstPast(isPast: (item: A) => boolean): number {
    if (!this.#sorted) {
      this.#items.sort(this.#compare)
      this.#sorted = true
    }
    let [low, high] = [0, this.#items.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (isPast(this.#items[middle]!)) high = middle
      else low = middle + 1
    }
    return low
  }
}

/** Code unit order, in which UUIDv7s are in the order of their time. */
export const byText = (left: string, right: string): number => left < right ? -1 : left > right ? 1 : 0

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** As databases compare text. Code units are in another order above 65,535. */
export const byCodePoint = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length)
  for (let at = 0; at < length; at++) {
    const [ours, theirs] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (ours === theirs) continue
    return Number(isSurrogate(ours)) - Number(isSurrogate(theirs)) || ours - theirs
  }
  return left.length - right.length
}
