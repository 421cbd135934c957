/** Cuts a run of documents into stretches that fit one segment each. */
import { type IndexDocument, MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"

export const packSegments = (documents: ReadonlyArray<IndexDocument>): ReadonlyArray<ReadonlyArray<IndexDocument>> => {
  const packs: Array<Array<IndexDocument>> = []
  let room = 0
  for (const document of documents) {
    if (document.chunks.length > room) {
      packs.push([])
      room = MAX_SEGMENT_CHUNKS
    }
    packs.at(-1)!.push(document)
    room -= document.chunks.length
  }
  return packs
}
