/** The marks of list items, indented below the items that contain them. */

/** The most nested list that is indented further than those around it. */
const DEEPEST = 5

interface List {
  /** Of the next item; null for bullets. */
  number: number | null
  /** Of its last mark. */
  width: number
}

export class ListMarks {
  /** Deeper lists are not stored, so that nesting costs nothing. */
  readonly #lists: Array<List> = []
  #deeper = 0

  /** Columns before the lines of the current item that follow its first. */
  get indent(): string {
    return " ".repeat(this.#lists.reduce((sum, { width }) => sum + width, 0))
  }

  open(isNumbered: boolean): void {
    if (this.#lists.length === DEEPEST) this.#deeper++
    else this.#lists.push({ number: isNumbered ? 1 : null, width: 0 })
  }

  /** The number of the first item of the list that was just opened. */
  startAt(number: number): void {
    const list = this.#lists.at(-1)
    if (list?.number === 1 && this.#deeper === 0) list.number = number
  }

  /** The current item has no mark after all, and its lines are not indented below it. */
  unmark(): void {
    const list = this.#lists.at(-1)
    if (list !== undefined) list.width = 0
  }

  close(): void {
    if (this.#deeper > 0) this.#deeper--
    else this.#lists.pop()
  }

  /** The mark of the next item. Outside of a list it is a bullet. */
  next(): string {
    const list = this.#lists.at(-1) ?? { number: null, width: 0 }
    const mark = list.number === null ? "- " : `${list.number++}. `
    list.width = 0
    const { indent } = this
    list.width = mark.length
    return indent + mark
  }
}
