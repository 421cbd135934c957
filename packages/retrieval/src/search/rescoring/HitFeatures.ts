/** A hit with the features by which it is rescored. */
import type { MatchQuality } from "./MatchReader.ts"
import type { Query } from "../query/Query.ts"
import type { Scoring } from "../scoring.ts"
import type { Scored } from "../TopHits.ts"

/** `Item` is a hit, or the place of one whose document is not read yet. */
export interface HitFeatures<Item> extends MatchQuality {
  readonly hit: Item
  /** BM25 of the whole document. */
  readonly documentScore: number
  /** How similar it is to the other best hits, from 0 to 1. */
  readonly similarity: number
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
