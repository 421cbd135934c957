/**
 * The readable text of HTML.
 *
 * Works on the flat run of tokens, with no tree and no stack of open elements: nesting of any depth costs nothing,
 * and there is no markup, however broken, that is not some text.
 */
import type { Extracted } from "@tributary/core/ports/TextExtractor"
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { TextWriter } from "./TextWriter.ts"

/** Nothing in these is for reading. Their content is characters up to the end tag, so that none holds another. */
const HIDDEN: ReadonlySet<string> = new Set(["script", "style", "iframe", "noembed", "noframes"])

const PARAGRAPHS: ReadonlySet<string> = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "dl",
  "table",
  "pre",
  "blockquote",
  "figure",
  "hr",
  "article",
  "aside",
  "section",
  "header",
  "footer",
  "main",
  "nav",
  "form",
  "fieldset",
  "details",
  "address"
])

const LINES: ReadonlySet<string> = new Set([
  "br",
  "div",
  "li",
  "dt",
  "dd",
  "tr",
  "caption",
  "figcaption",
  "option",
  "summary",
  "legend",
  "title",
  "body",
  "textarea"
])

const CELLS: ReadonlySet<string> = new Set(["td", "th"])

class Reader implements TokenizerCallbacks {
  readonly text = new TextWriter()
  readonly #source: string
  readonly #title = new TextWriter()
  readonly #heading = new TextWriter()
  #inTitle = false
  #inHeading = false
  #inHidden = false
  #templates = 0
  #drawings = 0
  #tag = ""

  constructor(source: string) {
    this.#source = source
  }

  get title(): string | null {
    return this.#title.finish() || this.#heading.finish() || null
  }

  get #hidden(): boolean {
    return this.#inHidden || this.#templates > 0
  }

  #write(text: string): void {
    if (this.#hidden) return
    if (this.#inTitle) return this.#title.write(text)
    if (this.#inHeading) this.#heading.write(text)
    this.text.write(text)
  }

  #break(tag: string): void {
    if (this.#hidden || this.#inTitle) return
    if (PARAGRAPHS.has(tag)) this.text.paragraph()
    else if (LINES.has(tag)) this.text.line()
    else if (CELLS.has(tag)) this.text.cell()
    if (this.#inHeading && LINES.has(tag)) this.#heading.write(" ")
  }

  #name(start: number, end: number): string {
    return this.#source.slice(start, end).toLowerCase()
  }

  ontext(start: number, end: number): void {
    this.#write(this.#source.slice(start, end))
  }

  ontextentity(codepoint: number): void {
    this.#write(String.fromCodePoint(codepoint))
  }

  onopentagname(start: number, end: number): void {
    const tag = this.#name(start, end)
    this.#tag = tag
    this.#break(tag)
    // A heading that is never closed ends where the next block begins.
    if (PARAGRAPHS.has(tag)) this.#inHeading = false
    if (HIDDEN.has(tag)) this.#inHidden = true
    else if (tag === "template") this.#templates++
    else if (this.#hidden) return
    else if (tag === "svg") this.#drawings++
    // A drawing's parts have titles, too; the first of the page's own counts.
    else if (tag === "title") this.#inTitle = this.#drawings === 0 && this.#title.isEmpty
    else if (tag === "h1") this.#inHeading = this.#heading.isEmpty
    else if (tag === "pre") this.text.preformatted++
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#name(start, end)
    if (HIDDEN.has(tag)) this.#inHidden = false
    else if (tag === "template") this.#templates = Math.max(0, this.#templates - 1)
    else if (this.#hidden) return
    else if (tag === "svg") this.#drawings = Math.max(0, this.#drawings - 1)
    else if (tag === "title") this.#inTitle = false
    else if (tag === "h1") this.#inHeading = false
    else if (tag === "pre") this.text.preformatted = Math.max(0, this.text.preformatted - 1)
    this.#break(tag)
  }

  onselfclosingtag(): void {
    if (this.#tag === "svg" && !this.#hidden) this.#drawings = Math.max(0, this.#drawings - 1)
  }

  onopentagend(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}

export const htmlText = (html: string): Extracted => {
  const reader = new Reader(html)
  const tokenizer = new Tokenizer({}, reader)
  tokenizer.write(html)
  tokenizer.end()
  return { title: reader.title, text: reader.text.finish() }
}
