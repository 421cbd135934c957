/**
 * The text of XML: the text of each element on a line of its own after the element's name, and attributes likewise. Text
 * with elements in it is one line. An empty line is between the records of a document, the children of its root.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { Damaged } from "../Damaged.ts"
import { extractedText } from "../extractedText.ts"
import { localName, readXml, type XmlElements } from "./xmlElements.ts"

interface Open {
  /** The number of lines before those of its content. */
  readonly start: number
  /** With that of the elements in it. */
  text: string
  /** Whether it has text of its own. */
  hasText: boolean
}

const TITLE = "title"
/** Its attributes are shapes. */
const DRAWING = "svg"
const PROGRAMS: ReadonlySet<string> = new Set(["script", "style"])
const NOTATION = /^(?:xmlns(?:$|:)|xml:|xsi:)/

const isBlank = (text: string): boolean => !/\S/.test(text)
const folded = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

class XmlLines implements XmlElements {
  readonly #lines: Array<string> = []
  readonly #path: Array<Open> = []
  /** The number of lines before the last child of the root. */
  #record = 0
  #root: string | undefined
  title: string | null = null

  /** Undefined if there is no element. */
  get all(): string | undefined {
    return this.#root === undefined ? undefined : this.#lines.join("\n").replaceAll(/\n{3,}/g, "\n\n").trim()
  }

  open(name: string, _: unknown, attributes: Readonly<Record<string, string>>): void {
    this.#root ??= name
    if (this.#path.length === 1) this.#record = this.#lines.push("")
    for (const [key, value] of this.#root === DRAWING ? [] : Object.entries(attributes)) {
      if (!NOTATION.test(key) && !isBlank(value)) this.#lines.push(`${localName(key)}: ${folded(value)}`)
    }
    this.#path.push({ start: this.#lines.length, text: "", hasText: false })
  }

  text(text: string): void {
    const element = this.#path.at(-1)
    if (element === undefined) return
    element.text += text
    element.hasText ||= !isBlank(text)
  }

  close(name: string): void {
    const element = this.#path.pop()!
    if (PROGRAMS.has(name)) return void (this.#lines.length = element.start)
    if (element.hasText) {
      const text = folded(element.text)
      this.#lines.length = element.start
      this.#lines.push(`${name}: ${text}`)
      if (name === TITLE) this.title ??= text
    }
    const within = this.#path.at(-1)
    // An empty one, such as a line break, separates words.
    if (within !== undefined) within.text += element.text || " "
    if (this.#path.length === 1) this.#endRecord()
  }

  /** Settings of one line each are not apart. */
  #endRecord(): void {
    if (this.#lines.length > this.#record + 1) this.#lines.push("")
    else this.#lines.splice(this.#record - 1, 1)
  }
}

/** Throws `Damaged`. */
export const xmlText = (xml: string): Extracted => {
  const lines = new XmlLines()
  readXml(xml, lines)
  if (lines.all === undefined) throw new Damaged("The file is no XML.")
  return extractedText(lines.all, lines)
}
