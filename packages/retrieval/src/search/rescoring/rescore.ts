/** Rescores the best hits by criteria that are too expensive for all: proximity, phrases, similarity and rare names. */
import type { Query } from "../query/Query.ts"
import { hitsToRead, NO_NAMES, rareNamesIn } from "./rareNames.ts"
import { type HitFeatures, maxOf, withProximity, wordScore } from "./HitFeatures.ts"
import type { Scoring } from "../scoring.ts"
import { byRank, type Hit } from "../TopHits.ts"

/** A hit with a name that is this much of the query is an exact match. */
const MOSTLY = 0.5

/**
 * Best first. Hits that contain every quoted phrase come first, then those with most of the rare names in the query. No
 * score decreases. `textsOf` returns the title and the text of a hit, and is called for those of `hitsToRead`.
 */
export const rescore = (
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<HitFeatures<Hit>>,
  textsOf: (hit: Hit) => ReadonlyArray<string>
): ReadonlyArray<Hit> => {
  const { feedback, identifierBonus, proximity } = scoring
  const rareNames = rareNamesIn(query, scoring, hitsToRead(query, hits), textsOf)
  const wordScores = hits.map(({ hit, documentScore }) => wordScore(hit, documentScore, scoring))
  const names = hits.map(({ hit }) => rareNames.get(hit) ?? NO_NAMES)
  const nameScores = hits.map(({ hit }, at) =>
    hit.score - hit.score % identifierBonus + names[at]!.certain * identifierBonus
  )
  const best = maxOf(wordScores)
  const bestName = maxOf(nameScores)
  return hits.map(({ hasAllPhrases, hit, proximity: nearness, similarity }, at) => {
    // More than any hit without the phrase can reach.
    const bonus = hasAllPhrases ? bestName + (2 + proximity) * best : 0
    // A name that is all of the query, with its words in order, outweighs what any other text reaches by its words.
    const more = (feedback * similarity + names[at]!.share) * best
    const score = withProximity(wordScores[at]!, best, nearness, scoring) + more + nameScores[at]! + bonus
    const identifier = hit.identifier || nameScores[at]! > 0 || names[at]!.share > MOSTLY || hasAllPhrases
    return { ...hit, score, identifier }
  }).sort(byRank)
}
