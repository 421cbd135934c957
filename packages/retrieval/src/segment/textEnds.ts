/** The ends of consecutive texts, each stored as the difference from the position that equal lengths would give. */
import { Column, writeColumn } from "./bytes/Column.ts"

const evenEnd = (text: number, count: number, size: number): number => Math.floor((text + 1) * size / count)

export const writeEnds = (ends: ReadonlyArray<number>): Uint8Array =>
  writeColumn(ends.map((end, text) => end - evenEnd(text, ends.length, ends.at(-1)!)))

export class TextEnds {
  readonly #column: Column
  readonly #count: number
  readonly #size: number

  /** For this many texts with this many bytes in total. */
  constructor(bytes: Uint8Array, count: number, size: number) {
    this.#column = new Column(bytes)
    this.#count = count
    this.#size = size
  }

  at(text: number): number {
    return evenEnd(text, this.#count, this.#size) + this.#column.at(text)
  }
}
