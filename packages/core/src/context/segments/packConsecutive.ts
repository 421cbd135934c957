/** Groups consecutive items, as many as fit; the default is one segment. */
import { MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"

export const packConsecutive = <A>(
  items: ReadonlyArray<A>,
  sizeOf: (item: A) => number,
  most = MAX_SEGMENT_CHUNKS
): ReadonlyArray<ReadonlyArray<A>> => {
  const packs: Array<Array<A>> = []
  let size = 0
  for (const item of items) {
    size += sizeOf(item)
    if (packs.length === 0 || size > most) {
      packs.push([])
      size = sizeOf(item)
    }
    packs.at(-1)!.push(item)
  }
  return packs
}
