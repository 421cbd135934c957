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
  const clauses = sentence.split(BETWEEN_CLAUSES).map((clause) => ({ clause, share: share(new Set(termsIn(clause))) }))
  const most = Math.max(...clauses.map(({ share }) => share))
  const { clause } = clauses.find(({ share }) => share === most)!
  if (DEPENDS.test(clause)) return null
  return isNegated(clause) ? "No" : "Yes"
}
