/** Splits a list of documents into batches, each of which is built in one step. */
import { type IndexDocument, MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"

/**
 * The size of a batch, in UTF-16 code units of text. Each batch learns its words again, so a batch four times as large
 * takes a third less time; but text with few repeated words takes thirty times its size in memory.
 */
export const MAX_TEXT = 4_000_000

/** In UTF-16 code units. */
export const textLength = ({ chunks }: IndexDocument): number => chunks.reduce((sum, { length }) => sum + length, 0)

export const packSegments = (documents: ReadonlyArray<IndexDocument>): ReadonlyArray<ReadonlyArray<IndexDocument>> => {
  const packs: Array<Array<IndexDocument>> = []
  let [chunks, text] = [0, 0]
  for (const document of documents) {
    chunks += document.chunks.length
    text += textLength(document)
    if (packs.length === 0 || chunks > MAX_SEGMENT_CHUNKS || text > MAX_TEXT) {
      packs.push([])
      chunks = document.chunks.length
      text = textLength(document)
    }
    packs.at(-1)!.push(document)
  }
  return packs
}
