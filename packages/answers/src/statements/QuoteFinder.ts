/** Finds quotes in the passages that a language model was shown. */
import type { Span } from "@tributary/retrieval"
import { type FoldedText, foldText } from "./foldText.ts"
import { locateQuote } from "./locateQuote.ts"

/** `passage` counts from 0. */
export interface PassageQuote extends Span {
  readonly passage: number
}

export class QuoteFinder {
  readonly #texts: ReadonlyArray<string>
  readonly #folded = new Map<number, FoldedText>()

  constructor(texts: ReadonlyArray<string>) {
    this.#texts = texts
  }

  /** `number` is the model's, from 1. A wrong one is corrected when there is no doubt about the right one. */
  find(number: number, quote: string): ReadonlyArray<PassageQuote> {
    const isKnown = Number.isInteger(number) && this.#texts[number - 1] !== undefined
    const named = isKnown ? this.#findIn(number - 1, quote) : []
    if (named.length > 0) return named
    const others = [...this.#texts.keys()].map((passage) => this.#findIn(passage, quote))
      .filter(({ length }) => length > 0)
    return others.length === 1 ? others[0]! : []
  }

  #findIn(passage: number, quote: string): ReadonlyArray<PassageQuote> {
    return locateQuote(this.#foldedPassage(passage), quote).map((span) => ({ passage, ...span }))
  }

  #foldedPassage(passage: number): FoldedText {
    const folded = this.#folded.get(passage) ?? foldText(this.#texts[passage] ?? "")
    this.#folded.set(passage, folded)
    return folded
  }
}
