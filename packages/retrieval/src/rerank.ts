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

// Hits are ranked to the last without a pause, so all share these.
const sieve = new WordSieve()
const times = new DocumentTimes()

interface Standing {
  readonly near: number
  readonly quoted: boolean
}

const APART: Standing = { near: 0, quoted: false }

/** Tells how the words of the query stand in the title and the chunk of a hit. */
class Reader {
  #parts: ReadonlyArray<ViewPart> = []
  #terms: ReadonlyArray<string> = []
  /** For each part that was looked into, what its segment calls the terms. */
  #numbers: Array<ReadonlyArray<number | null>> = []
  readonly #sightings = new Sightings()
  #part = -1

  open(parts: ReadonlyArray<ViewPart>, wanted: Wanted): void {
    this.#parts = parts
    this.#terms = wanted.terms
    this.#numbers = []
    this.#part = -1
    this.#sightings.lookFor(wanted)
  }

  /** Lets go of the parts. */
  close(): void {
    this.#parts = []
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

const reader = new Reader()

/** Whether the hits of a query are ranked by their texts, too: it names something that has to stand there as it is. */
export const needsTexts = (query: Query): boolean => query.names.length > 0

/** What the segments tell of a hit, beyond its score. */
export interface WeighedHit extends Standing {
  readonly hit: Hit
  /** Of its document as a whole. */
  readonly ofDocument: number
}

const weighed = (hit: Hit, ofDocument: number, { near, quoted }: Standing): WeighedHit => ({
  hit,
  ofDocument,
  near,
  quoted
})

/** What its words alone add to a hit; those of a query come to less than what one identifier adds. */
const wordsOf = (hit: Hit, ofDocument: number, { identifierBonus }: Scoring): number =>
  hit.score % identifierBonus + ofDocument

const withNear = (words: number, best: number, near: number): number => words + PROXIMITY * best * near

const mostOf = (values: ReadonlyArray<number>): number => {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}

/** Whether nothing but words and how near they stand decides. */
const isOfWords = ({ identifiers, names, phrases }: Query): boolean =>
  identifiers.length + names.length + phrases.length === 0

/** Into numbers that fall. */
const insert = (numbers: Array<number>, added: number): void => {
  let place = numbers.length
  for (; place > 0 && numbers[place - 1]! < added; place--) numbers[place] = numbers[place - 1]!
  numbers[place] = added
}

/**
 * Where `settled` is given, the parts have to be all that is searched: the first so many then come out as they would
 * without, and of the others only those are read that might have been among them.
 */
export const weigh = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<Hit>,
  settled = Infinity
): ReadonlyArray<WeighedHit> => {
  times.count(parts, scoring, hits)
  const wanted = wantedBy(query, scoring.rarities)
  const ofDocuments: Array<number> = []
  const words: Array<number> = []
  for (let at = 0; at < hits.length; at++) {
    ofDocuments.push(times.score(at))
    words.push(wordsOf(hits[at]!, ofDocuments[at]!, scoring))
  }
  const best = mostOf(words)
  const enough = isOfWords(query) ? settled : Infinity
  const scores: Array<number> = []
  reader.open(parts, wanted)
  try {
    return hits.map((hit, at) => {
      const ofDocument = ofDocuments[at]!
      const nearest = mostCloseness(wanted, times, at)
      // As many as are asked for are better, however near its words stand.
      if (withNear(words[at]!, best, nearest) < (scores[enough - 1] ?? 0)) return weighed(hit, ofDocument, APART)
      // Where no two words of a pair are in the document, nothing is near.
      const standing = wanted.phrases.length > 0 || nearest > 0 ? reader.read(hit) : APART
      insert(scores, withNear(words[at]!, best, standing.near))
      return weighed(hit, ofDocument, standing)
    })
  } finally {
    reader.close()
  }
}

/**
 * Best first. What holds every phrase that the query quotes comes before what does not, then what names most of what
 * the query names. No score is less than it was. `textsOf` gives the title and the text of a hit, and is asked only
 * where `needsTexts`.
 */
export const rankWeighed = (
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<WeighedHit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyArray<Hit> => {
  const { identifierBonus } = scoring
  const isNaming = needsTexts(query)
  const words: Array<number> = []
  const named: Array<number> = []
  for (const { hit, ofDocument } of hits) {
    const names = isNaming ? countNames(query.names, textsOf(hit)) : 0
    words.push(wordsOf(hit, ofDocument, scoring))
    named.push(hit.score - hit.score % identifierBonus + names * identifierBonus)
  }
  const best = mostOf(words)
  const most = mostOf(named)
  return hits.map(({ hit, near, quoted }, at) => {
    // More than any hit without the phrase can reach.
    const bonus = quoted ? most + (1 + PROXIMITY) * best : 0
    const score = withNear(words[at]!, best, near) + named[at]! + bonus
    return { ...hit, score, identifier: hit.identifier || named[at]! > 0 || quoted }
  }).sort(byRank)
}

/** Where all parts are at hand; `settled` as for `weigh`. */
export const rerank = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  hits: ReadonlyArray<Hit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>,
  settled?: number
): ReadonlyArray<Hit> => {
  const scoring = scoringOf(parts, query)
  return rankWeighed(query, scoring, weigh(parts, query, scoring, hits, settled), textsOf)
}
