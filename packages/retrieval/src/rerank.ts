/** Ranking the best hits again by what is too dear to look at for all: words that stand together, and phrases. */
import { mostCloseness, Sightings, type Wanted, wantedBy } from "./closeness.ts"
import { DocumentTimes } from "./documentScore.ts"
import { countNames } from "./exactNames.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { type Scoring, scoringOf } from "./scoring.ts"
import { byRank, type Hit } from "./TopHits.ts"
import { WordSieve } from "./WordSieve.ts"

/** How much words that stand together can add, as a share of the best score. */
const PROXIMITY = 0.4

const sieve = new WordSieve()

interface Standing {
  readonly near: number
  readonly quoted: boolean
}

const APART: Standing = { near: 0, quoted: false }

/** Tells how the words of the query stand in the title and the chunk of a hit. */
class Reader {
  readonly #parts: ReadonlyArray<ViewPart>
  readonly #terms: ReadonlyArray<string>
  /** For each part that was looked into, what its segment calls the terms. */
  readonly #numbers: Array<ReadonlyArray<number | null>> = []
  readonly #sightings: Sightings
  #part = -1

  constructor(parts: ReadonlyArray<ViewPart>, wanted: Wanted) {
    this.#parts = parts
    this.#terms = wanted.terms
    this.#sightings = new Sightings(wanted)
  }

  read({ chunk, part }: Hit): Standing {
    const { segment } = this.#parts[part]!
    if (part !== this.#part) {
      this.#part = part
      sieve.lookFor(this.#numbers[part] ??= this.#terms.map((term) => segment.numberOf(term)))
    }
    const title = segment.titleWords(segment.chunkDocuments[chunk]!)
    const text = segment.chunkWords(chunk)
    const sightings = this.#sightings
    sightings.clear()
    sightings.goOnAfter(sieve.visit(segment.wordBytes(title), title, sightings))
    sieve.visit(segment.wordBytes(text), text, sightings)
    return { near: sightings.closeness(), quoted: sightings.holdsAllPhrases() }
  }
}

/** Whether the hits of a query are ranked by their texts, too: it names something that has to stand there as it is. */
export const needsTexts = (query: Query): boolean => query.names.length > 0

/** What the segments tell of a hit, beyond its score. */
export interface WeighedHit extends Standing {
  readonly hit: Hit
  /** Of its document as a whole. */
  readonly ofDocument: number
}

export const weigh = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<Hit>
): ReadonlyArray<WeighedHit> => {
  const times = new DocumentTimes(parts, scoring, hits)
  const wanted = wantedBy(query, scoring.rarities)
  const reader = new Reader(parts, wanted)
  return hits.map((hit, at) => {
    // Where no two words of a pair are in the document, nothing is near.
    const isRead = wanted.phrases.length > 0 || mostCloseness(wanted, times, at) > 0
    return { hit, ofDocument: times.score(at), ...isRead ? reader.read(hit) : APART }
  })
}

/**
 * Best first. What holds every phrase that the query quotes comes before what does not, then what names most of what
 * the query names. No score is less than it was. `textsOf` gives the title and the text of a hit, and is asked only
 * where `needsTexts`.
 */
export const rankWeighed = (
  query: Query,
  { identifierBonus }: Scoring,
  hits: ReadonlyArray<WeighedHit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyArray<Hit> => {
  const isNaming = needsTexts(query)
  const weighed = hits.map(({ hit, near, ofDocument, quoted }) => {
    // The words of a query come to less than what one identifier adds.
    const identified = Math.floor(hit.score / identifierBonus) * identifierBonus
    return {
      hit,
      near,
      quoted,
      words: hit.score - identified + ofDocument,
      named: identified + (isNaming ? countNames(query.names, textsOf(hit)) * identifierBonus : 0)
    }
  })
  const best = weighed.reduce((score, { words }) => Math.max(score, words), 0)
  const most = weighed.reduce((score, { named }) => Math.max(score, named), 0)
  return weighed.map(({ hit, named, near, quoted, words }) => {
    // More than any hit without the phrase can reach.
    const bonus = quoted ? most + (1 + PROXIMITY) * best : 0
    const score = words + PROXIMITY * best * near + named + bonus
    return { ...hit, score, identifier: hit.identifier || named > 0 || quoted }
  }).sort(byRank)
}

/** Where all parts are at hand. */
export const rerank = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  hits: ReadonlyArray<Hit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyArray<Hit> => {
  const scoring = scoringOf(parts, query)
  return rankWeighed(query, scoring, weigh(parts, query, scoring, hits), textsOf)
}
