/** Which documents of a segment a search may return. */
import type { ViewPart } from "../segment/Mask.ts"

export interface FilterOptions {
  /** All groups must match; in a group, any label. An unknown label matches nothing. */
  readonly allOf?: ReadonlyArray<ReadonlyArray<string>>
  /** Documents that overlap `[from, to)`, in milliseconds; none if it is empty. */
  readonly from?: number
  readonly to?: number
  /** Documents that do not overlap this interval. */
  readonly outside?: { readonly from: number; readonly to: number }
}

const overlaps = (begin: number, end: number, from: number, to: number): boolean =>
  from < to && begin < to && (end > from || begin >= from)

const blockUntagged = ({ segment }: ViewPart, group: ReadonlyArray<string>, blocked: Uint8Array): void => {
  const tagged = new Uint8Array(segment.documentCount)
  for (const tag of group) {
    const stretch = segment.tags.find(tag)
    if (stretch !== null) { for (const document of segment.tagged(stretch)) tagged[document] = 1 }
  }
  for (let document = 0; document < blocked.length; document++) blocked[document]! |= 1 - tagged[document]!
}

const blockTimes = ({ segment }: ViewPart, options: FilterOptions, blocked: Uint8Array): void => {
  const { from = -Infinity, outside, to = Infinity } = options
  for (let document = 0; document < blocked.length; document++) {
    const begin = segment.fromOf(document)
    const end = segment.toOf(document)
    if (!overlaps(begin, end, from, to) || (outside !== undefined && overlaps(begin, end, outside.from, outside.to))) {
      blocked[document] = 1
    }
  }
}

/** Whether some document may fail the time filter. Segments are cut along time, so this is usually quick. */
const limitsTime = ({ segment }: ViewPart, { from = -Infinity, outside, to = Infinity }: FilterOptions): boolean => {
  const allWithin = from < to && segment.earliest >= from && segment.latest < to
  const allOutside = outside === undefined || segment.latestEnd < outside.from || segment.earliest >= outside.to
  return !allWithin || !allOutside
}

/** Whether some document may pass the time filter, as far as the bounds of the segment show. */
export const mayPass = (
  { segment }: ViewPart,
  { from = -Infinity, outside, to = Infinity }: FilterOptions
): boolean => {
  const { earliest, latest, latestEnd } = segment
  const someWithin = from < to && earliest < to && (latestEnd > from || latest >= from)
  const allOverlap = outside !== undefined && outside.from <= earliest && latest < outside.to
  return someWithin && !allOverlap
}

/** One byte per document, non-zero if it is masked or filtered out; null if every document passes. Do not modify. */
export const blockedIn = (part: ViewPart, options: FilterOptions): Uint8Array | null => {
  const { mask, segment } = part
  const groups = options.allOf ?? []
  const timed = limitsTime(part, options)
  if (groups.length === 0 && !timed) return mask.hidden
  const blocked = mask.hidden?.slice() ?? new Uint8Array(segment.documentCount)
  for (const group of groups) blockUntagged(part, group, blocked)
  if (timed) blockTimes(part, options, blocked)
  return blocked
}

const countPassing = (part: ViewPart, options: FilterOptions): number => {
  if (!mayPass(part, options)) return 0
  const blocked = blockedIn(part, options)
  const { documentCount } = part.segment
  return blocked === null ? documentCount : documentCount - blocked.reduce((count, one) => count + one, 0)
}

/** How many documents a search with these filters can return. */
export const countDocuments = (parts: ReadonlyArray<ViewPart>, options: FilterOptions): number =>
  parts.reduce((sum, part) => sum + countPassing(part, options), 0)

/** The latest start of a document that passes; `-Infinity` if none does. */
export const latestPassing = (parts: ReadonlyArray<ViewPart>, options: FilterOptions): number => {
  let latest = -Infinity
  for (const part of parts) {
    const { segment } = part
    if (segment.latest <= latest || !mayPass(part, options)) continue
    const blocked = blockedIn(part, options)
    for (let document = 0; document < segment.documentCount; document++) {
      if (blocked?.[document] !== 1) latest = Math.max(latest, segment.fromOf(document))
    }
  }
  return latest
}
