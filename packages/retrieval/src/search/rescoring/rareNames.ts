/** Exact names of the query that few documents contain. */
import { holdersOf } from "../../text/names/exactNames.ts"
import type { Query } from "../query/Query.ts"
import type { Reading } from "../query/readings.ts"
import type { Rescored } from "./Rescored.ts"
import { RESCORED } from "./rescoredFor.ts"
import { RARE, type Scoring } from "../scoring.ts"
import type { Hit } from "../TopHits.ts"

/** The hits whose texts are needed to know which exact names they contain. */
export const hitsToRead = ({ names }: Query, hits: ReadonlyArray<Rescored<Hit>>): ReadonlyArray<Hit> =>
  names.length === 0
    ? []
    : hits.toSorted((one, other) => Number(other.mayHaveName) - Number(one.mayHaveName)).slice(0, RESCORED)
      .map(({ hit }) => hit)

/** Those that a hit contains. */
export interface RareNames {
  /** How many are names by their form. */
  readonly certain: number
  /** The best of the others, as a share of the query's weight. */
  readonly share: number
}

export const NO_NAMES: RareNames = { certain: 0, share: 0 }

export const rareNamesIn = (
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
