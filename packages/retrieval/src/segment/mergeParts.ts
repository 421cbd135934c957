/** Merges segments into one, without their hidden documents. */
import { Mask } from "./Mask.ts"
import { mergeSegments } from "./mergeSegments.ts"
import { openSegment } from "./Segment.ts"

/** A segment, and the numbers of its documents that are left out. */
export interface MergePart {
  readonly bytes: Uint8Array
  readonly hidden: ReadonlyArray<number>
}

export const mergeParts = (parts: ReadonlyArray<MergePart>): Uint8Array =>
  mergeSegments(parts.map(({ bytes, hidden }) => {
    const segment = openSegment(bytes)
    return { segment, mask: new Mask(segment, hidden) }
  }))
