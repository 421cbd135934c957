/** The words of a question, weighted by how rare they are. */
import type { Evidence } from "@tributary/core/ports/Answerer"
import { hyphenatedTerm, type Query, stemOf, stemsIn, visitHyphenated, visitWords } from "@tributary/retrieval"

export interface Word {
  /** As `stemsIn` returns them for the languages of the workspace; of the word, and of both if a hyphen joins it. */
  readonly stems: ReadonlyArray<ReadonlyArray<string>>
  /** Less than 1 for one of the pairs of characters of a longer word. */
  readonly share: number
  /** The weight of the term. */
  readonly weight: number
  /** Whether it occurs nowhere in the context, or is part of a name that does not. */
  readonly isAbsent: boolean
}

/** The number of unseen passages without the word that smooth an idf estimated from few passages. */
const UNSEEN = 300

/** The weight of a term, from the idf of a search over this many passages. */
export const weightOf = (idf: number | undefined, passageCount: number): number => {
  const frequency = idf === undefined ? 0 : Math.max(0, (passageCount + 1) / Math.exp(idf) - 0.5)
  return Math.log(1 + (passageCount + UNSEEN - frequency + 0.5) / (frequency + 0.5))
}

/** For each word that a hyphen joins to another, both without it: `e-mail`, `email`. */
const wholesIn = (text: string): ReadonlyMap<string, string> => {
  const wholes = new Map<string, string>()
  visitHyphenated(text, (start, end, joined) => {
    visitWords(text.slice(start, end), (from, to) => wholes.set(text.slice(start + from, start + to), joined))
  })
  return wholes
}

export const questionWords = (
  { hasSignificant, languages, readings, text, weights, words }: Query,
  { idf, passageCount }: Pick<Evidence, "idf" | "passageCount">
): ReadonlyArray<Word> => {
  const known = new Map<string, Word>()
  const wholes = wholesIn(text)
  words.forEach((written, at) => {
    const terms = readings.map((reading) => reading.terms[at]!)
    if (known.has(terms[0]!) || !terms.some((term) => weights.has(term))) return
    const whole = wholes.get(written)
    const stems = (whole === undefined ? [written] : [written, whole]).map((word) => stemsIn(languages, word))
    const found = terms.flatMap((term) => [term, hyphenatedTerm(term)]).find((term) => idf.has(term)) ??
      (whole === undefined ? undefined : [...idf.keys()].find((term) => stems.at(-1)!.includes(stemOf(term))))
    // The pairs of characters of a longer word count less than a word, as in a search; a repeated word counts once.
    const share = Math.min(1, weights.get(terms[0]!) ?? 1)
    known.set(terms[0]!, {
      stems,
      share,
      // Words that carry any question ask about nothing.
      weight: hasSignificant ? share * weightOf(found === undefined ? undefined : idf.get(found), passageCount) : 0,
      isAbsent: found === undefined
    })
  })
  return [...known.values()]
}
