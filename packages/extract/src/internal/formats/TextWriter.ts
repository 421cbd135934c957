/** Joins runs of text as a browser shows them: collapsed white space, and line breaks between blocks. */

/** Separators between two runs; the strongest of several wins. */
const BREAKS = ["", " ", "\t", "\n", "\n\n"] as const

const [SPACE, CELL, LINE, PARAGRAPH] = [1, 2, 3, 4] as const

// A no-break space is layout, and would break exact quotes. With `+` instead of `*`, the regular expression engine may
// keep a state per character, and a long run of spaces would exhaust its stack.
const WHITE_SPACE = /[ \t\n\r\f\u00a0][ \t\n\r\f\u00a0]*/g

export class TextWriter {
  /** The number of open elements with significant white space. */
  preformatted = 0
  readonly #parts: Array<string> = []
  #pending = 0

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  write(text: string): void {
    if (this.preformatted > 0) return this.#verbatim(text)
    const folded = text.replaceAll(WHITE_SPACE, " ")
    if (folded.startsWith(" ")) this.#separate(SPACE)
    const words = folded.slice(folded.startsWith(" ") ? 1 : 0, folded.endsWith(" ") ? -1 : undefined)
    if (words === "") return
    this.#append(words)
    if (folded.endsWith(" ")) this.#separate(SPACE)
  }

  cell(): void {
    this.#separate(CELL)
  }

  line(): void {
    this.#separate(LINE)
  }

  paragraph(): void {
    this.#separate(PARAGRAPH)
  }

  finish(): string {
    return this.#parts.join("").trimEnd()
  }

  #separate(strength: number): void {
    this.#pending = Math.max(this.#pending, strength)
  }

  #verbatim(text: string): void {
    const lines = text.replaceAll("\r\n", "\n")
    // The line break right after the tag is not content.
    const shown = this.#pending >= LINE && lines.startsWith("\n") ? lines.slice(1) : lines
    if (shown !== "") this.#append(shown)
  }

  #append(text: string): void {
    if (this.#parts.length > 0) this.#parts.push(BREAKS[this.#pending]!)
    this.#pending = 0
    this.#parts.push(text)
  }
}
