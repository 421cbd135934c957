/** Puts runs of text together the way a browser would show them: white space folded, breaks where blocks meet. */

/** What goes between two runs; of several that meet, the strongest. */
const BREAKS = ["", " ", "\t", "\n", "\n\n"] as const

const [SPACE, CELL, LINE, PARAGRAPH] = [1, 2, 3, 4] as const

// A space that does not break a line is there for the layout; in a quotation it would be a trap. With `+` instead of `*`
// the engine may keep a way back for every character, and a long run of spaces would exhaust its stack.
const WHITE_SPACE = /[ \t\n\r\f\u00a0][ \t\n\r\f\u00a0]*/g

export class TextWriter {
  /** How many elements are open in which white space means what it says. */
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
    // The line break right after the tag belongs to the markup.
    const shown = this.#pending >= LINE && lines.startsWith("\n") ? lines.slice(1) : lines
    if (shown !== "") this.#append(shown)
  }

  #append(text: string): void {
    if (this.#parts.length > 0) this.#parts.push(BREAKS[this.#pending]!)
    this.#pending = 0
    this.#parts.push(text)
  }
}
