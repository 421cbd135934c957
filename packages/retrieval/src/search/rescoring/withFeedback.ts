/** Adds to the best hits how much they resemble each other (pseudo-relevance feedback). */
import type { ViewPart } from "../../segment/Mask.ts"
import { COMPARED } from "./HitWords.ts"
import type { Query } from "../query/Query.ts"
import { hasOnlyWords, maxOf, type Rescored, withProximity, wordScore } from "./Rescored.ts"
import { resemblanceOf } from "./resemblance.ts"
import type { Scoring } from "../scoring.ts"
import { byRank, type Hit } from "../TopHits.ts"

/** The first of the best hits resemble the others most, because they are right more often than what resembles them. */
const LEADING = 2

/** With the resemblance of the best hits, if only words matter. `parts` and `hits` must be all. */
export const withFeedback = (
  parts: ReadonlyArray<ViewPart>,
  query: Query,
  scoring: Scoring,
  hits: ReadonlyArray<Rescored<Hit>>
): ReadonlyArray<Rescored<Hit>> => {
  if (!hasOnlyWords(query) || scoring.feedback === 0 || hits.length <= LEADING) return hits
  const wordScores = hits.map(({ hit, documentScore }) => wordScore(hit, documentScore, scoring))
  const best = maxOf(wordScores)
  const compared = hits
    .map(({ hit, proximity }, at) => ({ ...hit, at, score: withProximity(wordScores[at]!, best, proximity, scoring) }))
    .sort(byRank)
    .slice(0, COMPARED)
  const resemblances = new Map<number, number>()
  resemblanceOf(parts, scoring, compared).forEach((value, rank) =>
    resemblances.set(compared[rank]!.at, rank < LEADING ? 1 : value)
  )
  return hits.map((one, at) => ({ ...one, resemblance: resemblances.get(at) ?? 0 }))
}
