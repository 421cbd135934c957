/** The parameters of the ranking. */
export interface Parameters {
  /** The weight of repeated words (BM25 `k1`), in a chunk and in its document; at least 0. */
  readonly k1: number
  /** The weight of the length of a text (BM25 `b`), from 0 to 1. */
  readonly b: number
  /** The most that proximity of words adds, as a share of the best score; at least 0. */
  readonly proximity: number
  /** The most that resembling other good hits adds, as a share of the best score; at least 0, by default 0. */
  readonly feedback?: number
}

/** Chosen by leave-one-out over test collections; see docs/benchmarks.md. */
export const PARAMETERS: Parameters = { k1: 1.6, b: 0.6, proximity: 0.6, feedback: 0.3 }
