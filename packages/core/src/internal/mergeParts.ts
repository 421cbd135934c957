/** One segment of what other segments do not hide, in the calling thread. */
import { Mask, mergeSegments, openSegment } from "@tributary/retrieval"
import type { MergePart } from "../ports/IndexBuilder.ts"

export const mergeParts = (parts: ReadonlyArray<MergePart>): Uint8Array =>
  mergeSegments(parts.map(({ bytes, hidden }) => {
    const segment = openSegment(bytes)
    return { segment, mask: new Mask(segment, hidden) }
  }))
