/** Which documents of a segment a search may return. */
import type { ViewPart } from "./Mask.ts"

export interface FilterOptions {
  /** All groups must hold; of a group, any label. A label that no document has matches nothing. */
  readonly allOf?: ReadonlyArray<ReadonlyArray<string>>
  /** What overlaps `[from, to)`, in milliseconds; nothing when that is empty. */
  readonly from?: number
  readonly to?: number
  /** What does not overlap this stretch. */
  readonly outside?: { readonly from: number; readonly to: number }
}

const overlaps = (begin: number, end: number, from: number, to: number): boolean =>
  from < to && begin < to && (end > from || begin >= from)

const markTag = ({ segment }: ViewPart, tag: string, marked: Uint8Array): void => {
  const index = segment.tags.find(tag)
  if (index === -1) return
  const { tagPostingOffsets, tagPostings } = segment
  for (let at = tagPostingOffsets[index]!; at < tagPostingOffsets[index + 1]!; at++) marked[tagPostings[at]!] = 1
}

const limitsTime = ({ from, outside, to }: FilterOptions): boolean =>
  (from !== undefined && from !== -Infinity) || (to !== undefined && to !== Infinity) || outside !== undefined

/** One for each document that passes, or null when every document does. */
export const passing = (part: ViewPart, options: FilterOptions): Uint8Array | null => {
  const { mask, segment } = part
  const groups = options.allOf ?? []
  if (groups.length === 0 && !limitsTime(options) && mask.hiddenDocuments === 0) return null
  const pass = new Uint8Array(segment.documentCount).fill(1)
  for (const document of mask.documents()) pass[document] = 0
  for (const group of groups) {
    const marked = new Uint8Array(segment.documentCount)
    for (const tag of group) markTag(part, tag, marked)
    for (let document = 0; document < pass.length; document++) pass[document]! &= marked[document]!
  }
  if (!limitsTime(options)) return pass
  const { from = -Infinity, outside, to = Infinity } = options
  for (let document = 0; document < pass.length; document++) {
    const begin = segment.froms[document]!
    const end = segment.tos[document]!
    if (!overlaps(begin, end, from, to) || (outside !== undefined && overlaps(begin, end, outside.from, outside.to))) {
      pass[document] = 0
    }
  }
  return pass
}

/** How many documents a search with these filters can return. */
export const countDocuments = (parts: ReadonlyArray<ViewPart>, options: FilterOptions): number =>
  parts.reduce(
    (sum, part) => sum + (passing(part, options)?.reduce((count, one) => count + one, 0) ?? part.segment.documentCount),
    0
  )
