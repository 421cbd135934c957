/** A hit with what its segment knows of it, and the parts of its score. */
import type { MatchQuality } from "./MatchReader.ts"
import type { Query } from "../query/Query.ts"
import type { Scoring } from "../scoring.ts"
import type { Scored } from "../TopHits.ts"

export interface Rescored<Item> extends MatchQuality {
  readonly hit: Item
  readonly documentScore: number
  /** How much it resembles the other best hits, from 0 to 1. */
  readonly resemblance: number
}

/** The score of a hit and of its document by words alone, without identifiers. */
export const wordScore = (hit: Scored, documentScore: number, { identifierBonus }: Scoring): number =>
  hit.score % identifierBonus + documentScore

/** Proximity is scaled by the best word score. */
export const withProximity = (score: number, best: number, nearness: number, { proximity }: Scoring): number =>
  score + proximity * best * nearness

/** The largest, or 0. */
export const maxOf = (values: ReadonlyArray<number>): number => values.reduce((most, value) => Math.max(most, value), 0)

/** Whether only words and their proximity matter. */
export const hasOnlyWords = ({ identifiers, names, readings: [reading] }: Query): boolean =>
  identifiers.length + names.filter((one) => one.certainty === "form").length + reading!.phrases.length === 0
