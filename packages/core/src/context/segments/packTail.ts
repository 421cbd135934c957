/** Groups parts of the tail so that each group fits into one segment. */
import { MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"

export const packTail = <A>(
  tail: ReadonlyArray<A>,
  chunksOf: (part: A) => number,
  most = MAX_SEGMENT_CHUNKS
): ReadonlyArray<ReadonlyArray<A>> => {
  const packs: Array<Array<A>> = []
  let chunks = 0
  for (const part of tail) {
    chunks += chunksOf(part)
    if (packs.length === 0 || chunks > most) {
      packs.push([])
      chunks = chunksOf(part)
    }
    packs.at(-1)!.push(part)
  }
  return packs
}
