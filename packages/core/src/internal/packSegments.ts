/** Cuts a run of documents into stretches, each of which is built at once. */
import { type IndexDocument, MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"

/**
 * UTF-16 code units of text. Building takes some fifty times as many bytes where hardly a word comes twice; merging
 * what was built takes far fewer.
 */
const MOST = 1_000_000

const textOf = ({ chunks }: IndexDocument): number => chunks.reduce((sum, { length }) => sum + length, 0)

export const packSegments = (documents: ReadonlyArray<IndexDocument>): ReadonlyArray<ReadonlyArray<IndexDocument>> => {
  const packs: Array<Array<IndexDocument>> = []
  let [chunks, text] = [0, 0]
  for (const document of documents) {
    chunks += document.chunks.length
    text += textOf(document)
    if (packs.length === 0 || chunks > MAX_SEGMENT_CHUNKS || text > MOST) {
      packs.push([])
      chunks = document.chunks.length
      text = textOf(document)
    }
    packs.at(-1)!.push(document)
  }
  return packs
}
