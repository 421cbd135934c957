/** Whether a sentence says yes or no to a question. */
import type { Evidence } from "./evidence.ts"
import { occurrences } from "./positions.ts"
import { isNegated } from "./sentenceKind.ts"

export type Verdict = "Yes" | "No"

/** What holds so much of the question decides it. */
const DECIDES = 0.8

/** It holds in some cases only, or nobody is sure. */
const DEPENDS = /\b(?:only|unless|except|if|whether|maybe|perhaps|probably|possibly|might|could|should)\b/iu

const BETWEEN_CLAUSES = /[,;]\s|\s[-\u2013\u2014]\s|\s(?:but|and|while|although|though|whereas)\s/iu

const LEFT_OUT = /^(?:but )?not\b/iu

/** `meant` holds the terms of what the sentence refers back to. Null when it does not decide it. */
export const verdictOf = (
  asked: string,
  sentence: string,
  meant: ReadonlySet<string>,
  { share, terms }: Evidence
): Verdict | null => {
  const termsIn = (text: string) => occurrences(text, terms).map(({ term }) => term)
  // Of a question with one telling word nobody knows what it asks about that.
  if (terms.size < 2 || share(new Set([...meant, ...termsIn(sentence)])) < DECIDES || isNegated(asked)) return null
  const held = new Set(termsIn(sentence))
  const clauses = sentence.split(BETWEEN_CLAUSES).filter((clause) => termsIn(clause).length > 0)
  const whole = clauses.find((clause) => new Set(termsIn(clause)).size === held.size)
  const deciding = whole === undefined ? clauses : [whole]
  if (deciding.some((clause) => DEPENDS.test(clause))) return null
  // `It covers storms, but not theft`: what is named last is left out.
  if (deciding.some((clause) => LEFT_OUT.test(clause))) return "No"
  const negated = deciding.filter(isNegated)
  return negated.length === 0 ? "Yes" : negated.length === deciding.length ? "No" : null
}
