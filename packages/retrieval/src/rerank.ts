/** Ranking the best hits again by what only their text shows: words that stand together, and phrases. */
import { documentScore } from "./documentScore.ts"
import { countNames } from "./exactNames.ts"
import { type Occurrence, occurrences } from "./positions.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { scoringOf } from "./scoring.ts"
import { byRank, type Hit } from "./TopHits.ts"

/** How much words that stand together can add, as a share of the best score. */
const PROXIMITY = 0.4

/** Words further apart than this say nothing about each other. */
const WINDOW = 8

export interface ReadHit {
  readonly hit: Hit
  readonly title: string
  /** The chunk's text. */
  readonly text: string
}

type Places = ReadonlyMap<string, ReadonlyArray<number>>

const placesOf = (found: ReadonlyArray<Occurrence>): Places => {
  const places = new Map<string, Array<number>>()
  for (const { position, term } of found) {
    const known = places.get(term)
    if (known === undefined) places.set(term, [position])
    else known.push(position)
  }
  return places
}

/** The least distance from a word to the next one of the query; the wrong way round counts as one more. */
const gapBetween = (first: ReadonlyArray<number>, second: ReadonlyArray<number>): number => {
  let least = Infinity
  let from = 0
  for (const place of first) {
    while (from < second.length && second[from]! < place - WINDOW) from++
    for (let at = from; at < second.length && second[at]! <= place + WINDOW; at++) {
      const gap = second[at]! > place ? second[at]! - place : place - second[at]! + 1
      if (gap < least) least = gap
    }
  }
  return least
}

const closeness = ({ terms }: Query, places: Places, rarities: ReadonlyMap<string, number>): number => {
  let sum = 0
  for (let at = 0; at + 1 < terms.length; at++) {
    const [first, second] = [terms[at]!, terms[at + 1]!]
    const [here, there] = [places.get(first), places.get(second)]
    if (here === undefined || there === undefined || first === second) continue
    const gap = gapBetween(here, there)
    if (gap <= WINDOW) sum += Math.min(rarities.get(first) ?? 0, rarities.get(second) ?? 0) / (gap * gap)
  }
  return sum
}

const holdsPhrase = (phrase: ReadonlyArray<string>, places: Places): boolean =>
  (places.get(phrase[0]!) ?? []).some((start) =>
    phrase.every((term, offset) => places.get(term)?.includes(start + offset) ?? false)
  )

// Between title and text lies more than a window, so that no phrase runs across.
const placesIn = ({ text, title }: ReadHit, wanted: ReadonlySet<string>): Places => {
  const inTitle = occurrences(title, wanted)
  const shift = 2 * WINDOW + (inTitle.at(-1)?.position ?? 0)
  const inText = occurrences(text, wanted).map((found) => ({ ...found, position: found.position + shift }))
  return placesOf([...inTitle, ...inText])
}

/**
 * Best first. What holds every phrase that the query quotes comes before what does not, then what names most of what
 * the query names. No score is less than it was.
 */
export const rerank = <H extends ReadHit>(
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  hits: ReadonlyArray<H>
): ReadonlyArray<H> => {
  const scoring = scoringOf(parts, query)
  const { identifierBonus, rarities } = scoring
  const wanted = new Set([...query.weights.keys(), ...query.phrases.flat()])
  const all = query.terms.reduce((sum, term) => sum + (rarities.get(term) ?? 0), 0)
  const weighed = hits.map((read) => {
    const { hit, text, title } = read
    // The words of a query come to less than what one identifier adds.
    const identified = Math.floor(hit.score / identifierBonus) * identifierBonus
    return {
      read,
      words: hit.score - identified + documentScore(parts, scoring, hit),
      named: identified + countNames(query.names, [title, text]) * identifierBonus,
      places: placesIn(read, wanted)
    }
  })
  const best = weighed.reduce((score, { words }) => Math.max(score, words), 0)
  const most = weighed.reduce((score, { named }) => Math.max(score, named), 0)
  return weighed.map(({ named, places, read, words }) => {
    const near = all === 0 ? 0 : closeness(query, places, rarities) / all
    const quoted = query.phrases.length > 0 && query.phrases.every((phrase) => holdsPhrase(phrase, places))
    // More than any hit without the phrase can reach.
    const bonus = quoted ? most + (1 + PROXIMITY) * best : 0
    const score = words + PROXIMITY * best * near + named + bonus
    return { ...read, hit: { ...read.hit, score, identifier: read.hit.identifier || named > 0 || quoted } }
  }).sort((left, right) => byRank(left.hit, right.hit))
}
