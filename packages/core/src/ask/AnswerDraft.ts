/** Builds an answer from statements: each becomes a line with markers, and its quotes become citations. */
import type { AskEvent, Citation } from "../model/Ask.ts"
import type { Quote, Statement } from "../ports/Answerer.ts"
import type { GivenPassages } from "./GivenPassages.ts"

/** The most related passages. */
const MAX_RELATED = 5

/** A quote may contain something that looks like a marker: `[1]`. */
const withoutMarkers = (text: string): string => text.replaceAll(/\[(\d+)\]/g, "[ $1 ]")

/** After a code fence or a table row, a marker would become part of it. */
const endsInBlock = (text: string): boolean => /(?:^|\n)[^\S\n]*(?:```|~~~|\|)[^\n]*$/.test(text)

export class AnswerDraft {
  readonly #given: GivenPassages
  readonly #markers = new Map<string, number>()
  readonly #citations: Array<Citation> = []
  #response = ""
  #leftOut = 0

  constructor(given: GivenPassages) {
    this.#given = given
  }

  get response(): string {
    return this.#response
  }

  get citations(): ReadonlyArray<Citation> {
    return this.#citations
  }

  /** The number of statements that are not in the response. */
  get leftOut(): number {
    return this.#leftOut
  }

  /** A statement without quotes, or with one that is not in the evidence, is left out. */
  add(statement: Statement): ReadonlyArray<AskEvent> {
    const quoted = statement.quotes.map((quote) => this.#citation(quote, null))
    if (quoted.length === 0 || quoted.includes(null)) {
      this.#leftOut++
      return []
    }
    const before = this.#citations.length
    const markers = statement.quotes.map((quote) => this.#markerOf(quote))
    const text = withoutMarkers(statement.text.trim())
    const line = `${this.#response === "" ? "" : "\n\n"}${text}${endsInBlock(text) ? "\n\n" : " "}${
      [...new Set(markers)].map((marker) => `[${marker}]`).join("")
    }`
    this.#response += line
    return [
      ...this.#citations.slice(before).map((data) => ({ event: "citation" as const, data })),
      { event: "delta", data: { text: line } }
    ]
  }

  related(quotes: ReadonlyArray<Quote>): ReadonlyArray<Citation> {
    return quotes.flatMap((quote) => this.#citation(quote, null) ?? []).slice(0, MAX_RELATED)
  }

  #markerOf(quote: Quote): number {
    const key = `${quote.document_id} ${quote.change_seq} ${quote.start} ${quote.end}`
    const known = this.#markers.get(key)
    if (known !== undefined) return known
    const marker = this.#markers.size + 1
    this.#markers.set(key, marker)
    this.#citations.push(this.#citation(quote, marker)!)
    return marker
  }

  #citation(quote: Quote, marker: number | null): Citation | null {
    const found = this.#given.quoted(quote)
    if (found === null) return null
    const { document, text } = found
    return {
      type: document.kind,
      entity: {
        id: document.document_id,
        external_id: document.external_id,
        source: document.source,
        title: document.title,
        url: document.url,
        timestamp: document.timestamp,
        marker,
        quote: text,
        start: quote.start,
        end: quote.end
      }
    }
  }
}
