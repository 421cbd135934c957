/** What the ranking is tuned by: chosen by leave-one-out over test collections, see docs/benchmarks.md. */

/** How much a word counts that is repeated, in a chunk and in its document. */
export const K1 = 2

/** How much the length of a text counts. */
export const B = 0.6

/** How much words that stand together can add, as a share of the best score. */
export const PROXIMITY = 0.8
