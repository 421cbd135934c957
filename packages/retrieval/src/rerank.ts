/** Ranking the best hits again by what is too dear to look at for all: words that stand together, and phrases. */
import { Sequence, type Wanted, wantedBy } from "./closeness.ts"
import { documentScore } from "./documentScore.ts"
import { countNames } from "./exactNames.ts"
import type { ViewPart } from "./Mask.ts"
import type { Query } from "./Query.ts"
import { scoringOf } from "./scoring.ts"
import type { Segment } from "./Segment.ts"
import { byRank, type Hit } from "./TopHits.ts"

/** How much words that stand together can add, as a share of the best score. */
const PROXIMITY = 0.4

/** Which words of a segment are looked for, by the numbers of their terms; all are zero between two searches. */
let marks = new Uint16Array(1 << 10)

/** Calls `use` while the words of one segment are marked. */
const whileMarked = (segment: Segment, { terms }: Wanted, use: () => void): void => {
  const numbers = terms.map((term) => segment.numberOf(term))
  if (marks.length < segment.terms.size) marks = new Uint16Array(segment.terms.size)
  try {
    numbers.forEach((number, place) => {
      if (number !== null) marks[number] = place + 1
    })
    use()
  } finally {
    for (const number of numbers) if (number !== null) marks[number] = 0
  }
}

interface Standing {
  readonly near: number
  readonly quoted: boolean
}

/** How the words of the query stand in the title and the chunk of each hit. */
const standings = (
  parts: ReadonlyArray<ViewPart>,
  wanted: Wanted,
  hits: ReadonlyArray<Hit>
): ReadonlyMap<Hit, Standing> => {
  const found = new Map<Hit, Standing>()
  if (wanted.pairs.length === 0 && wanted.phrases.length === 0) return found
  const sequence = new Sequence(wanted)
  parts.forEach(({ segment }, part) => {
    const here = hits.filter((hit) => hit.part === part)
    if (here.length === 0) return
    whileMarked(segment, wanted, () => {
      for (const hit of here) {
        sequence.clear()
        sequence.append(segment.titleWords(segment.chunkDocuments[hit.chunk]!), marks)
        sequence.leaveGap()
        sequence.append(segment.chunkWords(hit.chunk), marks)
        found.set(hit, { near: sequence.closeness(), quoted: sequence.holdsAllPhrases() })
      }
    })
  })
  return found
}

/** Whether the hits of a query are ranked by their texts, too: it names something that has to stand there as it is. */
export const needsTexts = (query: Query): boolean => query.names.length > 0

/**
 * Best first. What holds every phrase that the query quotes comes before what does not, then what names most of what
 * the query names. No score is less than it was. `textsOf` gives the title and the text of a hit, and is asked only
 * where `needsTexts`.
 */
export const rerank = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  hits: ReadonlyArray<Hit>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyArray<Hit> => {
  const scoring = scoringOf(parts, query)
  const { identifierBonus, rarities } = scoring
  const isNaming = needsTexts(query)
  const weighed = hits.map((hit) => {
    // The words of a query come to less than what one identifier adds.
    const identified = Math.floor(hit.score / identifierBonus) * identifierBonus
    return {
      hit,
      words: hit.score - identified + documentScore(parts, scoring, hit),
      named: identified + (isNaming ? countNames(query.names, textsOf(hit)) * identifierBonus : 0)
    }
  })
  const best = weighed.reduce((score, { words }) => Math.max(score, words), 0)
  const most = weighed.reduce((score, { named }) => Math.max(score, named), 0)
  const standing = standings(parts, wantedBy(query, rarities), hits)
  return weighed.map(({ hit, named, words }) => {
    const { near, quoted } = standing.get(hit) ?? { near: 0, quoted: false }
    // More than any hit without the phrase can reach.
    const bonus = quoted ? most + (1 + PROXIMITY) * best : 0
    const score = words + PROXIMITY * best * near + named + bonus
    return { ...hit, score, identifier: hit.identifier || named > 0 || quoted }
  }).sort(byRank)
}
