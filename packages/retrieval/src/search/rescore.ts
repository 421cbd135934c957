/** Rescores the best hits by criteria that are too expensive for all: proximity and phrases. */
import { maxProximity, TermPositions, type Wanted, wantedBy } from "./proximity.ts"
import { DocumentTimes } from "./documentScore.ts"
import { holdersOf } from "../text/names/exactNames.ts"
import { identifierTerm } from "../text/names/identifiers.ts"
import type { ViewPart } from "../segment/Mask.ts"
import type { Query } from "./query/Query.ts"
import type { Reading } from "./query/readings.ts"
import { COMPARED } from "./HitWords.ts"
import { resemblanceOf } from "./resemblance.ts"
import { RARE, type Scoring } from "./scoring.ts"
import { byRank, type Hit, type Place, type Scored } from "./TopHits.ts"
import { WordSieve } from "./WordSieve.ts"

// Rescoring is synchronous, so these buffers are shared.
const sieve = new WordSieve()
const times = new DocumentTimes()

interface MatchQuality {
  readonly near: number
  readonly quoted: boolean
  /** Whether it may contain a name of several words. */
  readonly mayBeNamed: boolean
}

const APART: MatchQuality = { near: 0, quoted: false, mayBeNamed: false }

/** Finds the positions of the query's words in the title and the chunk of a hit. */
class Reader {
  #parts: ReadonlyArray<ViewPart> = []
  #terms: ReadonlyArray<string> = []
  /** For each part that was read, the codes of the terms in its segment. */
  #numbers: Array<ReadonlyArray<number | null>> = []
  readonly #positions = new TermPositions()
  #part = -1

  open(parts: ReadonlyArray<ViewPart>, wanted: Wanted): void {
    this.#parts = parts
    this.#terms = wanted.terms
    this.#numbers = []
    this.#part = -1
    this.#positions.lookFor(wanted)
  }

  /** Releases the parts. */
  close(): void {
    this.#parts = []
  }

  read({ chunk, part }: Place): MatchQuality {
    const { segment } = this.#parts[part]!
    if (part !== this.#part) {
      this.#part = part
      sieve.lookFor(this.#numbers[part] ??= this.#terms.map((term) => segment.numberOf(term)))
    }
    const title = segment.titleWords(segment.chunkDocuments[chunk]!)
    const text = segment.chunkWords(chunk)
    const positions = this.#positions
    positions.clear()
    positions.startAfter(sieve.visit(segment.wordBytes(title), title, positions))
    sieve.visit(segment.wordBytes(text), text, positions)
    return { near: positions.proximity(), quoted: positions.holdsAllPhrases(), mayBeNamed: positions.holdsName() }
  }
}

const reader = new Reader()

/** What the segments know of a hit, besides its score. */
export interface Rescored<Item> extends MatchQuality {
  readonly hit: Item
  /** The score of its document. */
  readonly ofDocument: number
  /** How much it resembles the other best hits, from 0 to 1. */
  readonly alike: number
}

/** How many of the best hits are rescored, and of how many the texts are read. */
const RESCORED = 50

/** More for a query with a phrase or a name of several words: many texts may contain the words, and few all of it. */
const RESCORED_FOR_PHRASE = 300

export const rescoredFor = ({ identifiers, names, readings: [reading] }: Query): number => {
  // The index itself finds identifiers.
  const isFound = (name: string) => identifiers.includes(identifierTerm(name))
  const isLong = names.some(({ plain }, at) => reading!.names[at]!.length > 1 && !isFound(plain))
  return isLong || reading!.phrases.length > 0 ? RESCORED_FOR_PHRASE : RESCORED
}

/** The hits whose texts are needed to know which exact names they contain. */
export const toRead = ({ names }: Query, hits: ReadonlyArray<Rescored<Hit>>): ReadonlyArray<Hit> =>
  names.length === 0
    ? []
    : hits.toSorted((one, other) => Number(other.mayBeNamed) - Number(one.mayBeNamed)).slice(0, RESCORED)
      .map(({ hit }) => hit)

/** The score of a hit and of its document by words alone, without identifiers. */
const wordScore = (hit: Scored, ofDocument: number, { identifierBonus }: Scoring): number =>
  hit.score % identifierBonus + ofDocument

const withProximity = (score: number, best: number, near: number, { proximity }: Scoring): number =>
  score + proximity * best * near

const mostOf = (values: ReadonlyArray<number>): number => {
  let most = 0
  for (const value of values) most = Math.max(most, value)
  return most
}

/** Whether only words and their proximity matter. */
const isOfWords = ({ identifiers, names, readings: [reading] }: Query): boolean =>
  identifiers.length + names.filter((one) => one.certainty === "form").length + reading!.phrases.length === 0

/** Descending. */
const insert = (numbers: Array<number>, added: number): void => {
  let place = numbers.length
  for (; place > 0 && numbers[place - 1]! < added; place--) numbers[place] = numbers[place - 1]!
  numbers[place] = added
}

/**
 * With `settled`, the parts must be everything that is searched. Hits that cannot be among the first `settled` are left
 * out, and only as much is read as is needed to know that.
 */
export const measureProximity = <Item extends Scored>(
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  found: ReadonlyArray<Item>,
  settled = Infinity
): ReadonlyArray<Rescored<Item>> => {
  times.count(parts, scoring, found)
  const wanted = wantedBy(scoring)
  const wordScores = found.map((hit, at) => wordScore(hit, times.score(at), scoring))
  const best = mostOf(wordScores)
  const enough = isOfWords(query) && query.names.length === 0 ? settled : Infinity
  // The scores so far, descending, and the score that is needed to be among the first.
  const scores: Array<number> = []
  const least = () => scores[enough - 1] ?? 0
  const rescored: Array<Rescored<Item>> = []
  reader.open(parts, wanted)
  try {
    found.forEach((hit, at) => {
      const nearest = maxProximity(wanted, times, at)
      // The proximity is scaled by the best score.
      if (wordScores[at]! < best && withProximity(wordScores[at]!, best, nearest, scoring) < least()) return
      // If no pair has both words in the document, the proximity is zero.
      const quality = wanted.phrases.length > 0 || nearest > 0 ? reader.read(hit) : APART
      insert(scores, withProximity(wordScores[at]!, best, quality.near, scoring))
      rescored.push({ hit, ofDocument: times.score(at), ...quality, alike: 0 })
    })
  } finally {
    reader.close()
  }
  return rescored
}

/** The first of the best hits count as the most alike, because they are right more often than what resembles them. */
const LEADING = 2

/** With the resemblance of the best hits, if only words matter. `parts` and `hits` must be all. */
export const withFeedback = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<Rescored<Hit>>
): ReadonlyArray<Rescored<Hit>> => {
  if (!isOfWords(query) || scoring.feedback === 0 || hits.length <= LEADING) return hits
  const wordScores = hits.map(({ hit, ofDocument }) => wordScore(hit, ofDocument, scoring))
  const best = mostOf(wordScores)
  const compared = hits
    .map(({ hit, near }, at) => ({ ...hit, at, score: withProximity(wordScores[at]!, best, near, scoring) }))
    .sort(byRank)
    .slice(0, COMPARED)
  const alike = new Map<number, number>()
  resemblanceOf(parts, scoring, compared).forEach((value, rank) =>
    alike.set(compared[rank]!.at, rank < LEADING ? 1 : value)
  )
  return hits.map((one, at) => ({ ...one, alike: alike.get(at) ?? 0 }))
}

/** The exact names that a hit contains and few documents do. */
interface RareNames {
  /** How many are names by their form. */
  readonly certain: number
  /** The best of the others, as a share of the query's weight. */
  readonly share: number
}

/** A hit with a name that is this much of the query is an exact match. */
const MOSTLY = 0.5

const NO_NAMES: RareNames = { certain: 0, share: 0 }

const rareNamesIn = (
  { names, readings }: Query,
  { idf }: Scoring,
  hits: ReadonlyArray<Hit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyMap<Hit, RareNames> => {
  const weigh = (termsOf: (reading: Reading) => ReadonlyArray<string>): number =>
    termsOf(readings[0]!).reduce(
      (sum, _, at) => sum + Math.max(...readings.map((reading) => idf.get(termsOf(reading)[at]!) ?? 0)),
      0
    )
  const total = weigh(({ terms }) => terms) || 1
  const found = new Map<Hit, RareNames>()
  holdersOf(names, hits.map(textsOf)).forEach((holders, name) => {
    if (new Set([...holders].map((at) => hits[at]!.documentId)).size > RARE) return
    const isCertain = names[name]!.certainty === "form"
    const own = Math.min(1, weigh((reading) => reading.names[name]!) / total)
    for (const at of holders) {
      const { certain, share } = found.get(hits[at]!) ?? NO_NAMES
      found.set(
        hits[at]!,
        isCertain ? { certain: certain + 1, share } : { certain, share: Math.max(share, own) }
      )
    }
  })
  return found
}

/**
 * Best first. Hits that contain every quoted phrase come first, then those with most of the rare names in the query. No
 * score decreases. `textsOf` returns the title and the text of a hit, and is called for those of `toRead`.
 */
export const rescore = (
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<Rescored<Hit>>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyArray<Hit> => {
  const { feedback, identifierBonus, proximity } = scoring
  const rareNames = rareNamesIn(query, scoring, toRead(query, hits), textsOf)
  const wordScores = hits.map(({ hit, ofDocument }) => wordScore(hit, ofDocument, scoring))
  const names = hits.map(({ hit }) => rareNames.get(hit) ?? NO_NAMES)
  const nameScores = hits.map(({ hit }, at) =>
    hit.score - hit.score % identifierBonus + names[at]!.certain * identifierBonus
  )
  const best = mostOf(wordScores)
  const bestName = mostOf(nameScores)
  return hits.map(({ alike, hit, near, quoted }, at) => {
    // More than any hit without the phrase can reach.
    const bonus = quoted ? bestName + (2 + proximity) * best : 0
    // A name that is all of the query, with its words in order, outweighs what any other text reaches by its words.
    const more = (feedback * alike + names[at]!.share) * best
    const score = withProximity(wordScores[at]!, best, near, scoring) + more + nameScores[at]! + bonus
    return { ...hit, score, identifier: hit.identifier || nameScores[at]! > 0 || names[at]!.share > MOSTLY || quoted }
  }).sort(byRank)
}
