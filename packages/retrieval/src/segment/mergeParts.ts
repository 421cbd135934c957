/** Merges segments into one, without their masked documents. */
import { Mask } from "./Mask.ts"
import { mergeSegments } from "./mergeSegments.ts"
import { openSegment } from "./Segment.ts"

/** A segment, and the numbers of the documents to leave out. */
export interface MergePart {
  readonly bytes: Uint8Array
  readonly hidden: ReadonlyArray<number>
}

export const mergeParts = (parts: ReadonlyArray<MergePart>): Uint8Array =>
  mergeSegments(parts.map(({ bytes, hidden }) => {
    const segment = openSegment(bytes)
    return { segment, mask: new Mask(segment, hidden) }
  }))
