/** Joins runs of text as a browser shows them: collapsed white space, line breaks between blocks, and marks of lines. */

import { isApartBefore, isApartFrom } from "./raisedNumbers.ts"

/** Separators between two runs; the strongest of several wins. */
const BREAKS = ["", " ", "\t", "\n", "\n\n"] as const

const [SPACE, CELL, LINE, PARAGRAPH] = [1, 2, 3, 4] as const

// A no-break space is layout, and would break exact quotes. With `+` instead of `*`, the regular expression engine may
// keep a state per character, and a long run of spaces would exhaust its stack.
const WHITE_SPACE = /[ \t\n\r\f\u00a0][ \t\n\r\f\u00a0]*/g

const STARTS_WORD = /^[\p{L}\p{N}]/u

/** Every line but the first, unless it is empty. */
const indented = (text: string, indent: string): string =>
  indent === "" ? text : text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`)

export class TextWriter {
  /** White space is significant. */
  preformatted = false
  /** Line breaks become spaces, as in a heading. */
  flat = false
  /** Text is above the line. */
  raised = false
  /** Starts every line that has no mark. */
  indent = ""
  readonly #parts: Array<string> = []
  #pending = 0
  #mark = ""
  #joined = false
  #apart = false
  /** The last run is above the line. */
  #wasRaised = false

  get isEmpty(): boolean {
    return this.#parts.length === 0
  }

  /** The place of the next run of text. */
  get position(): number {
    return this.#parts.length
  }

  write(text: string): void {
    if (this.preformatted) return this.#verbatim(text)
    const folded = text.replaceAll(WHITE_SPACE, " ")
    if (folded.startsWith(" ")) this.#separate(SPACE)
    const words = folded.slice(folded.startsWith(" ") ? 1 : 0, folded.endsWith(" ") ? -1 : undefined)
    if (words === "") return
    this.#append(words)
    if (folded.endsWith(" ")) this.#separate(SPACE)
  }

  /** Separates a word that follows from the text before. */
  apart(): void {
    this.#apart = true
  }

  cell(): void {
    this.#separate(CELL)
  }

  line(): void {
    this.#separate(LINE)
  }

  /** A second one leaves an empty line. */
  lineBreak(): void {
    this.#separate(this.#pending < LINE ? LINE : PARAGRAPH)
  }

  paragraph(): void {
    this.#separate(this.#joined ? LINE : PARAGRAPH)
  }

  /** Starts a line that belongs to the one before it, even if its text is in a paragraph. */
  joinedLine(): void {
    this.#separate(LINE)
    this.#joined = true
  }

  /** Starts the line of the next text with a mark. An empty one discards a mark without text. */
  startWith(mark: string): void {
    this.#mark = mark
  }

  /** The text from a position on, or to another one. */
  between(start: number, end?: number): string {
    return this.#parts.slice(start, end).join("").trim()
  }

  /** Removes the mark of the line whose text starts at a position. */
  removeMark(position: number, mark: string): void {
    const start = this.#parts[position]
    if (start?.endsWith(mark) === true) this.#parts[position] = start.slice(0, -mark.length)
  }

  /** Puts lines around the text between two positions, and indents it like them. */
  enclose(start: number, end: number, line: string, indent: string): void {
    let last = end - 1
    while (last > start && this.#parts[last]!.trimEnd() === "") this.#parts[last--] = ""
    this.#parts[last] = this.#parts[last]!.trimEnd()
    for (let at = start + 1; at <= last; at++) this.#parts[at] = indented(this.#parts[at]!, indent)
    this.#parts[start] += `${indent}${line}\n${indent}`
    this.#parts[last] += `\n${indent}${line}`
  }

  /** Replaces the text from a position on by a paragraph. */
  replaceFrom(position: number, paragraph: string): void {
    this.#parts.length = position
    this.#pending = PARAGRAPH
    this.#append(indented(paragraph, this.indent))
    this.#pending = PARAGRAPH
  }

  /** The number of characters at some positions. */
  length(isCounted: (position: number) => boolean): number {
    return this.#parts.reduce((sum, { length }, at) => isCounted(at) ? sum + length : sum, 0)
  }

  /** Removes the text at other positions. */
  keep(isKept: (position: number) => boolean): void {
    for (let at = 0; at < this.#parts.length; at++) if (!isKept(at)) this.#parts[at] = ""
  }

  finish(): string {
    return this.#parts.join("").replace(/^\n+/, "").trimEnd()
  }

  #separate(strength: number): void {
    this.#pending = Math.max(this.#pending, this.flat ? Math.min(strength, SPACE) : strength)
  }

  #verbatim(text: string): void {
    const lines = text.replaceAll("\r\n", "\n")
    // The line break right after the tag is not content.
    const shown = this.#pending >= LINE && lines.startsWith("\n") ? lines.slice(1) : lines
    if (shown !== "") this.#append(shown)
  }

  /** Each run has two parts: what separates it from the one before, with the mark of its line, and its text. */
  #append(text: string): void {
    const startsLine = !this.preformatted && (this.isEmpty || this.#pending >= LINE)
    const mark = startsLine ? this.#mark || this.indent : ""
    if (!this.preformatted && this.#isApart(text)) this.#separate(SPACE)
    this.#apart = false
    this.#wasRaised = this.raised
    this.#parts.push(this.isEmpty ? mark : BREAKS[this.#pending] + mark, text)
    this.#pending = 0
    this.#mark = ""
    this.#joined = false
  }

  #isApart(text: string): boolean {
    if (this.#apart) return STARTS_WORD.test(text)
    if (this.raised === this.#wasRaised) return false
    const before = this.#parts.at(-1) ?? ""
    return this.raised ? isApartFrom(before, text) : isApartBefore(before, text)
  }
}
