/** Builds a segment from documents as they arrive, in batches, so that memory does not grow with their number. */
import { mergeParts } from "./mergeParts.ts"
import { MAX_TEXT, textLength } from "./packSegments.ts"
import { type IndexDocument, SegmentBuilder } from "./SegmentBuilder.ts"

export const segmentDraft = () => {
  const built: Array<Uint8Array> = []
  let builder = new SegmentBuilder()
  let text = 0
  const cut = () => {
    built.push(builder.build())
    builder = new SegmentBuilder()
    text = 0
  }
  return {
    add: (documents: ReadonlyArray<IndexDocument>): void => {
      for (const document of documents) {
        const more = textLength(document)
        if (text > 0 && text + more > MAX_TEXT) cut()
        builder.add(document)
        text += more
      }
    },
    finish: (): Uint8Array => {
      cut()
      return built.length === 1 ? built[0]! : mergeParts(built.map((bytes) => ({ bytes, hidden: [] })))
    }
  }
}
