/** What the ranking is tuned by. */
export interface Parameters {
  /** How much a word counts that is repeated, in a chunk and in its document; at least 0. */
  readonly k1: number
  /** How much the length of a text counts, from 0 to 1. */
  readonly b: number
  /** How much words that stand together can add, as a share of the best score; at least 0. */
  readonly proximity: number
}

/** Chosen by leave-one-out over test collections, see docs/benchmarks.md. */
export const PARAMETERS: Parameters = { k1: 2, b: 0.6, proximity: 0.8 }
