/** A column of numbers, stored as offsets from the minimum with as many bytes as the largest one needs. */
import { viewOf } from "./Pages.ts"

/** Integers of up to six bytes are exact and fast. */
const MAX_INTEGER = 2 ** 48

/** Raw numbers: fractions, or a range that is too wide. */
const RAW = 8

const HEAD = 16

const widthFor = (range: number): number => {
  let width = 0
  for (let rest = range; rest >= 1; rest = Math.floor(rest / 256)) width++
  return width
}

export const writeColumn = (values: ReadonlyArray<number>): Uint8Array => {
  let [least, most, areWhole] = [Infinity, -Infinity, true]
  // By index: `for of` allocates a result for each of its steps until it is optimized.
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!
    if (value < least) least = value
    if (value > most) most = value
    areWhole &&= Number.isSafeInteger(value)
  }
  const isWhole = areWhole && most - least < MAX_INTEGER
  const width = values.length === 0 ? 0 : isWhole ? widthFor(most - least) : RAW
  const bytes = new Uint8Array(HEAD + values.length * width)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, width)
  view.setFloat64(8, width === RAW || values.length === 0 ? 0 : least, true)
  for (let index = 0, at = HEAD; index < values.length; index++, at += width) {
    const value = values[index]!
    if (width === RAW) view.setFloat64(at, value, true)
    else {
      // Shifts only work up to 32 bits.
      const above = value - least
      for (let byte = 0; byte < width; byte++) {
        bytes[at + byte] = byte < 4 ? above >>> byte * 8 : Math.floor(above / 2 ** 32) >>> (byte - 4) * 8
      }
    }
  }
  return bytes
}

export class Column {
  readonly #view: DataView
  readonly #width: number
  readonly #least: number
  constructor(bytes: Uint8Array) {
    this.#view = viewOf(bytes)
    this.#width = this.#view.getUint8(0)
    this.#least = this.#view.getFloat64(8, true)
  }

  at(index: number): number {
    const at = HEAD + index * this.#width
    if (this.#width === RAW) return this.#view.getFloat64(at, true)
    let value = 0
    let byte = this.#width
    while (byte > 4) value = value * 256 + this.#view.getUint8(at + --byte)
    if (byte === 4) return this.#least + value * 2 ** 32 + this.#view.getUint32(at, true)
    while (byte > 0) value = value * 256 + this.#view.getUint8(at + --byte)
    return this.#least + value
  }
}
