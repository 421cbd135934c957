/** Writes a dictionary. */
import { ByteWriter } from "../bytes/ByteWriter.ts"
import { writePair } from "../bytes/pairs.ts"
import { BLOCK, encodeInto, KEY } from "./dictionaryFormat.ts"

export class TermDictionaryWriter {
  readonly #strings = new ByteWriter()
  readonly #index = new ByteWriter()
  #count = 0
  #valuesAt = 0
  #previous = new Uint8Array(256)
  #current = new Uint8Array(256)
  #previousLength = 0

  get count(): number {
    return this.#count
  }

  /** Strings in the order of `compareStrings`, unique, each with the number and length of its entries. */
  add(string: string, count: number, length: number): void {
    if (this.#current.length < string.length * 3) this.#current = new Uint8Array(string.length * 6)
    const current = this.#current
    const written = encodeInto(string, current)
    const begins = this.#count % BLOCK === 0
    if (begins) this.#beginBlock(current, written)
    const shared = begins ? Math.min(written, KEY) : this.#sharedWith(current, written)
    writePair(this.#strings, shared, written - shared)
    for (let at = shared; at < written; at++) this.#strings.byte(current[at]!)
    writePair(this.#strings, count, length - count)
    this.#valuesAt += length
    this.#count++
    ;[this.#previous, this.#current] = [current, this.#previous]
    this.#previousLength = written
  }

  finish(): { readonly strings: Uint8Array; readonly index: Uint8Array } {
    return { strings: this.#strings.written(), index: this.#index.written() }
  }

  #beginBlock(first: Uint8Array, length: number): void {
    for (let at = 0; at < KEY; at++) this.#index.byte(at < length ? first[at]! : 0)
    for (const at of [this.#strings.size, this.#valuesAt]) {
      for (let shift = 0; shift < 32; shift += 8) this.#index.byte((at >>> shift) & 255)
    }
  }

  #sharedWith(current: Uint8Array, length: number): number {
    const most = Math.min(length, this.#previousLength)
    let shared = 0
    while (shared < most && current[shared] === this.#previous[shared]) shared++
    return shared
  }
}
