/** Where texts end that stand one after the other: each as how far that is from where it would be if all were alike. */
import { Column, writeColumn } from "./bytes/Column.ts"

const evenEnd = (text: number, count: number, size: number): number => Math.floor((text + 1) * size / count)

export const writeEnds = (ends: ReadonlyArray<number>): Uint8Array =>
  writeColumn(ends.map((end, text) => end - evenEnd(text, ends.length, ends.at(-1)!)))

export class TextEnds {
  readonly #column: Column
  readonly #count: number
  readonly #size: number

  /** Of this many texts, and this many bytes in all of them. */
  constructor(bytes: Uint8Array, count: number, size: number) {
    this.#column = new Column(bytes)
    this.#count = count
    this.#size = size
  }

  at(text: number): number {
    return evenEnd(text, this.#count, this.#size) + this.#column.at(text)
  }
}
