/** Cuts a run of documents into stretches, each of which is built at once. */
import { type IndexDocument, MAX_SEGMENT_CHUNKS } from "./SegmentBuilder.ts"

/**
 * UTF-16 code units of text. Each stretch learns its words again, so that four times as much takes a third less time;
 * where hardly a word comes twice, building takes some thirty times as many bytes.
 */
export const MOST_TEXT = 4_000_000

export const textOf = ({ chunks }: IndexDocument): number => chunks.reduce((sum, { length }) => sum + length, 0)

export const packSegments = (documents: ReadonlyArray<IndexDocument>): ReadonlyArray<ReadonlyArray<IndexDocument>> => {
  const packs: Array<Array<IndexDocument>> = []
  let [chunks, text] = [0, 0]
  for (const document of documents) {
    chunks += document.chunks.length
    text += textOf(document)
    if (packs.length === 0 || chunks > MAX_SEGMENT_CHUNKS || text > MOST_TEXT) {
      packs.push([])
      chunks = document.chunks.length
      text = textOf(document)
    }
    packs.at(-1)!.push(document)
  }
  return packs
}
