/**
 * Words of a query that texts write as two, or as one: a query for `email` also finds `e-mail`, and the other way round.
 * So do the characters of a word that the segmenter does not know.
 */
import { hyphenatedTerm, joinedTerms } from "../../text/joined/hyphenated.ts"
import { languagesIn } from "../../text/languages.ts"
import { pairFinder } from "../../text/joined/singleCharacters.ts"
import { visitWords } from "../../text/words.ts"
import type { Query } from "./Query.ts"
import { MAX_TERMS } from "./readings.ts"

/** What `email` counts in a query for `e-mail`, as a share of either word. */
const WEIGHT = 0.5

const joinedIn = ({ languages, text }: Query): ReadonlyArray<string> => {
  const terms = languagesIn(languages).flatMap((language) => joinedTerms(text, language))
  visitWords(text, pairFinder(text, (term) => terms.push(term)))
  return terms.slice(0, MAX_TERMS)
}

/** The terms of other spellings, for the statistics. */
export const possibleSpellings = (query: Query): ReadonlySet<string> =>
  new Set([...[...query.weights.keys()].map(hyphenatedTerm), ...joinedIn(query)])

/** `frequencies` has the number of chunks with each possible spelling. */
export const withSpellings = (query: Query, frequencies: ReadonlyMap<string, number>): Query => {
  const weights = new Map(query.weights)
  const others = new Map(query.others)
  for (const [term, weight] of query.weights) {
    const hyphenated = hyphenatedTerm(term)
    if (!frequencies.has(hyphenated)) continue
    const readings = [term, ...others.get(term) ?? []]
    weights.set(hyphenated, weight)
    others.set(hyphenated, readings)
    for (const reading of readings) others.set(reading, [...others.get(reading) ?? [], hyphenated])
  }
  for (const term of joinedIn(query)) if (frequencies.has(term) && !weights.has(term)) weights.set(term, WEIGHT)
  return weights.size === query.weights.size ? query : { ...query, weights, others }
}
