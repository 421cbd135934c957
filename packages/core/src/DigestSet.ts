/**
 * A set of texts that keeps 64 bits of each, for sets that would not fit otherwise.
 *
 * It never misses a text that it holds. It may take one that it does not hold for one that it does: among a million
 * texts, once in some 20 million million looks.
 */
import { sha256HexNow } from "./internal/sha256.ts"

const encoder = new TextEncoder()

/** Stands for an empty slot. */
const NONE = 0n

const digest = (text: string): bigint => BigInt(`0x${sha256HexNow(encoder.encode(text)).slice(0, 16)}`) || 1n

export class DigestSet {
  /** A power of two of them, at most three in four taken. A digest stands in the first free one from its own on. */
  #slots = new BigUint64Array(16)
  #size = 0

  /** `digests` as `DigestSet.digests` of another told them. */
  constructor(digests: BigUint64Array = new BigUint64Array()) {
    for (const one of digests) this.#insert(one)
  }

  add(text: string): void {
    this.#insert(digest(text))
  }

  has(text: string): boolean {
    const one = digest(text)
    return this.#slots[this.#slotOf(one)] === one
  }

  digests(): BigUint64Array<ArrayBuffer> {
    return this.#slots.filter((one) => one !== NONE)
  }

  #slotOf(one: bigint): number {
    const last = this.#slots.length - 1
    let at = Number(BigInt.asUintN(32, one)) & last
    while (this.#slots[at] !== NONE && this.#slots[at] !== one) at = at + 1 & last
    return at
  }

  #insert(one: bigint): void {
    const at = this.#slotOf(one)
    if (one === NONE || this.#slots[at] === one) return
    this.#slots[at] = one
    if (++this.#size * 4 > this.#slots.length * 3) this.#grow()
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new BigUint64Array(before.length * 2)
    for (const one of before) if (one !== NONE) this.#slots[this.#slotOf(one)] = one
  }
}
