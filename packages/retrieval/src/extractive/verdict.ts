/** Whether a sentence says yes or no to a question. */
import type { Evidence } from "./evidence.ts"
import { folded, type Language } from "./languages.ts"
import { saysContrary } from "./opposites.ts"
import { isNegated } from "./sentenceKind.ts"

/** In the language of the question. */
export type Verdict = string

const ENGLISH = { yes: "Yes", no: "No" }

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
  { share, terms, termsIn }: Evidence,
  language: Language | null
): Verdict | null => {
  const { no, yes } = language ?? ENGLISH
  const depends = (clause: string) => language === null ? DEPENDS.test(clause) : language.depends.test(folded(clause))
  // Of a question with one telling word nobody knows what it asks about that.
  if (terms.size < 2 || share(new Set([...meant, ...termsIn(sentence)])) < DECIDES || isNegated(asked, language)) {
    return null
  }
  const held = termsIn(sentence)
  const clauses = sentence.split(BETWEEN_CLAUSES).filter((clause) => termsIn(clause).size > 0)
  const whole = clauses.find((clause) => termsIn(clause).size === held.size)
  const deciding = whole === undefined ? clauses : [whole]
  if (deciding.some(depends)) return null
  // `It covers storms, but not theft`: what is named last is left out.
  if (deciding.some((clause) => LEFT_OUT.test(clause))) return no
  const negated = deciding.filter((clause) => isNegated(clause, language) !== saysContrary(terms, clause))
  return negated.length === 0 ? yes : negated.length === deciding.length ? no : null
}
