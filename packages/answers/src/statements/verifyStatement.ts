/** Proves a statement of a language model by its quotes, or says why it cannot be proved. */
import type { Span } from "@tributary/retrieval"
import { unprovedDates } from "./dates.ts"
import type { ModelStatement } from "./ModelReply.ts"
import { negates } from "./negation.ts"
import { unprovedNumbers } from "./numbers.ts"
import { plainStatement } from "./plainStatement.ts"
import { type Known, knownIn, unprovedNames } from "./properNames.ts"
import { type PassageQuote, QuoteFinder } from "./QuoteFinder.ts"
import { isClauseOrCell } from "./quoteLength.ts"

export type Verdict =
  | { readonly _tag: "Proved"; readonly text: string; readonly quotes: ReadonlyArray<PassageQuote> }
  /** `reason` is for the model; it repeats what the model wrote. */
  | { readonly _tag: "Refused"; readonly reason: string; readonly kind: Refusal }

/** The reason for the user; it does not repeat the statement. */
export type Refusal = "quote" | "number" | "date" | "name" | "negation" | "empty"

const MAX_QUOTES = 8

/** Of a statement and of a quote, each of which is verified word by word. */
const MAX_LENGTH = 2_000

const refused = (kind: Refusal, reason: string): Verdict => ({ _tag: "Refused", kind, reason })

/** From the end of the previous sentence to the end of its own, because a quote may omit the "not" beside it. */
const sentenceAround = (text: string, { end, start }: Span): string => {
  const before = text.slice(Math.max(0, start - 300), start).split(/[.!?。！？]\s|\n\s*\n/).at(-1) ?? ""
  const after = /^[^]*?(?:[.!?。！？](?=\s|$)|\n\s*\n|$)/.exec(text.slice(end, end + 300))?.[0] ?? ""
  const isEnded = /[.!?。！？]$/.test(text.slice(start, end))
  return before + text.slice(start, end) + (isEnded ? "" : after)
}

const plainLines = (text: string): string => text.split("\n").map(plainStatement).join("\n")

/** What the statement says and its quotes do not. */
const unprovedFact = (statement: string, proof: string, known: () => Known): Verdict | null => {
  const missing = (kind: Refusal, facts: ReadonlyArray<string>): Verdict | null =>
    facts.length === 0 ? null : refused(kind, `its quotes do not contain ${facts.join(", ")}`)
  const { rest, unproved } = unprovedDates(statement, proof)
  return missing("date", unproved) ?? missing("number", unprovedNumbers(rest, proof)) ??
    missing("name", unprovedNames(rest, proof, known()))
}

/** Proves statements by the passages that the model was shown, for one question. */
export const makeVerifier = (query: string, texts: ReadonlyArray<string>) => {
  const finder = new QuoteFinder(texts)
  let names: Known | undefined
  const known = (): Known => names ??= knownIn([query, ...texts].join("\n\n"))

  const textOf = ({ end, passage, start }: PassageQuote): string => texts[passage]!.slice(start, end)

  /** Where the quote is in the passages, or why it proves nothing. */
  const locate = ({ passage, quote }: ModelStatement["quotes"][number]): ReadonlyArray<PassageQuote> | string => {
    if (quote.length > MAX_LENGTH) return `a quote has at most ${MAX_LENGTH} characters`
    const located = finder.find(passage, quote)
    if (located.length === 0) return `no passage contains the quote ${JSON.stringify(quote)}`
    return located.every((one) => isClauseOrCell(texts[one.passage]!, one))
      ? located
      : `the quote ${JSON.stringify(quote)} is shorter than a clause`
  }

  return ({ quotes, text }: ModelStatement): Verdict => {
    const statement = plainStatement(text.slice(0, MAX_LENGTH))
    if (!/[\p{L}\p{N}]/u.test(statement)) return refused("empty", "it says nothing")
    if (quotes.length === 0) return refused("quote", "it has no quote")
    const located = quotes.slice(0, MAX_QUOTES).map(locate)
    const reason = located.find((one) => typeof one === "string")
    if (reason !== undefined) return refused("quote", reason)
    const found = located.filter((one) => typeof one !== "string").flat()
    const quoted = found.map(textOf)
    // Also without markup and line breaks, as in the statement: "July\n  5th", "14\n900".
    const proof = [...quoted, ...quoted.map(plainStatement), query].join("\n")
    const unproved = unprovedFact(statement, proof, known)
    if (unproved !== null) return unproved
    const around = found.map((one) => plainLines(sentenceAround(texts[one.passage]!, one)))
    return negates(statement, around.join("\n\n"))
      ? refused("negation", "its quotes say the opposite")
      : { _tag: "Proved", text: statement, quotes: found }
  }
}
