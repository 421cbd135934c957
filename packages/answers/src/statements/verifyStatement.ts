/** Proves a statement of a language model by its quotes, or says why it cannot be proved. */
import { unprovedDates } from "./dates.ts"
import { type FoldedText, foldText } from "./foldText.ts"
import { locateQuote, type Span } from "./locateQuote.ts"
import type { ModelStatement } from "./ModelReply.ts"
import { negates } from "./negation.ts"
import { unprovedNumbers } from "./numbers.ts"
import { plainStatement } from "./plainStatement.ts"
import { type Known, knownIn, unprovedNames } from "./properNames.ts"
import { isClauseOrCell } from "./quoteLength.ts"

/** `passage` counts from 0. */
export interface PassageQuote extends Span {
  readonly passage: number
}

export type Verdict =
  | { readonly _tag: "Proved"; readonly text: string; readonly quotes: ReadonlyArray<PassageQuote> }
  /** `reason` is for the model; it repeats what the model wrote. */
  | { readonly _tag: "Refused"; readonly reason: string; readonly kind: Refusal }

/** The reason for the user; it does not repeat the statement. */
export type Refusal = "quote" | "number" | "date" | "name" | "negation" | "empty"

const MOST_QUOTES = 8

/** Of a statement and of a quote, each of which is verified word by word. */
const LONGEST = 2_000

const refused = (kind: Refusal, reason: string): Verdict => ({ _tag: "Refused", kind, reason })

/** From the end of the previous sentence to the end of its own, because a quote may omit the "not" beside it. */
const sentenceAround = (text: string, { end, start }: Span): string => {
  const before = text.slice(Math.max(0, start - 300), start).split(/[.!?。！？]\s|\n\s*\n/).at(-1) ?? ""
  const after = /^[^]*?(?:[.!?。！？](?=\s|$)|\n\s*\n|$)/.exec(text.slice(end, end + 300))?.[0] ?? ""
  const isEnded = /[.!?。！？]$/.test(text.slice(start, end))
  return before + text.slice(start, end) + (isEnded ? "" : after)
}

const plainLines = (text: string): string => text.split("\n").map(plainStatement).join("\n")

/** Proves statements by the passages that the model was shown, for one question. */
export const makeVerifier = (query: string, texts: ReadonlyArray<string>) => {
  const folded = new Map<number, FoldedText>()
  const foldedPassage = (passage: number): FoldedText => {
    const known = folded.get(passage) ?? foldText(texts[passage] ?? "")
    folded.set(passage, known)
    return known
  }
  let known: Known | null = null

  const locateIn = (passage: number, quote: string): ReadonlyArray<PassageQuote> =>
    locateQuote(foldedPassage(passage), quote).map((span) => ({ passage, ...span }))

  /** A wrong number is corrected when there is no doubt about the right one. */
  const locate = (number: number, quote: string): ReadonlyArray<PassageQuote> => {
    const named = Number.isInteger(number) && texts[number - 1] !== undefined ? locateIn(number - 1, quote) : []
    if (named.length > 0) return named
    const others = [...texts.keys()].map((passage) => locateIn(passage, quote)).filter(({ length }) => length > 0)
    return others.length === 1 ? others[0]! : []
  }

  return ({ quotes, text }: ModelStatement): Verdict => {
    const statement = plainStatement(text.slice(0, LONGEST))
    if (!/[\p{L}\p{N}]/u.test(statement)) return refused("empty", "it says nothing")
    if (quotes.length === 0) return refused("quote", "it has no quote")
    const found: Array<PassageQuote> = []
    for (const { passage, quote } of quotes.slice(0, MOST_QUOTES)) {
      if (quote.length > LONGEST) return refused("quote", `a quote has at most ${LONGEST} characters`)
      const located = locate(passage, quote)
      if (located.length === 0) return refused("quote", `no passage contains the quote ${JSON.stringify(quote)}`)
      if (!located.every((one) => isClauseOrCell(texts[one.passage]!, one))) {
        return refused("quote", `the quote ${JSON.stringify(quote)} is shorter than a clause`)
      }
      found.push(...located)
    }
    const quoted = found.map(({ end, passage, start }) => texts[passage]!.slice(start, end))
    // Also without markup and line breaks, as in the statement: "July\n  5th", "14\n900".
    const proof = [...quoted, ...quoted.map(plainStatement), query].join("\n")
    const dates = unprovedDates(statement, proof)
    if (dates.unproved.length > 0) return refused("date", `its quotes do not contain ${dates.unproved.join(", ")}`)
    const numbers = unprovedNumbers(dates.rest, proof)
    if (numbers.length > 0) return refused("number", `its quotes do not contain ${numbers.join(", ")}`)
    const names = unprovedNames(dates.rest, proof, known ??= knownIn([query, ...texts].join("\n\n")))
    if (names.length > 0) return refused("name", `its quotes do not contain ${names.join(", ")}`)
    const around = found.map((one) => plainLines(sentenceAround(texts[one.passage]!, one)))
    if (negates(statement, around.join("\n\n"))) {
      return refused("negation", "its quotes say the opposite")
    }
    return { _tag: "Proved", text: statement, quotes: found }
  }
}
