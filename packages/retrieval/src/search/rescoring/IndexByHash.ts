/** The indexes of items by 32-bit hashes, faster to fill and to empty than a map. Items with one hash are one. */
export class IndexByHash {
  /** For each slot, the index plus one; zero if it is free. A hash is in the first free slot from its own. */
  #slots = new Uint16Array(1 << 12)
  #hashes = new Int32Array(1 << 12)
  #used: Array<number> = []

  /** The index of the hash, which is `next` if it is new. Indexes are below 65,535. */
  add(hash: number, next: number): number {
    const slot = this.#slotOf(hash)
    const known = this.#slots[slot]!
    if (known !== 0) return known - 1
    this.#slots[slot] = next + 1
    this.#hashes[slot] = hash
    this.#used.push(slot)
    if (this.#used.length * 2 > this.#slots.length) this.#grow()
    return next
  }

  /** The index of the hash; -1 if it has none. */
  find(hash: number): number {
    return this.#slots[this.#slotOf(hash)]! - 1
  }

  clear(): void {
    for (const slot of this.#used) this.#slots[slot] = 0
    this.#used = []
  }

  #slotOf(hash: number): number {
    const last = this.#slots.length - 1
    // The lower bits of the hashes of similar words are similar.
    let slot = (hash ^ hash >>> 15) & last
    while (this.#slots[slot] !== 0 && this.#hashes[slot] !== hash) slot = (slot + 1) & last
    return slot
  }

  #grow(): void {
    const [slots, hashes, used] = [this.#slots, this.#hashes, this.#used]
    this.#slots = new Uint16Array(2 * slots.length)
    this.#hashes = new Int32Array(2 * slots.length)
    this.#used = used.map((old) => {
      const slot = this.#slotOf(hashes[old]!)
      this.#slots[slot] = slots[old]!
      this.#hashes[slot] = hashes[old]!
      return slot
    })
  }
}
