/** Which documents of a segment a search may return. */
import { TIME_BLOCK, type TimeBounds } from "../segment/bytes/TimeColumns.ts"
import type { ViewPart } from "../segment/Mask.ts"
import type { Segment } from "../segment/Segment.ts"

interface Interval {
  readonly from: number
  readonly to: number
}

export interface FilterOptions {
  /** All groups must match; in a group, any label. An unknown label matches nothing. */
  readonly allOf?: ReadonlyArray<ReadonlyArray<string>>
  /** Half open, in milliseconds. Documents that overlap each of them; nothing overlaps an empty one. */
  readonly overlapping?: ReadonlyArray<Interval>
  /** Documents that do not overlap this interval. */
  readonly outside?: Interval
}

const overlaps = (segment: Segment, document: number, { from, to }: Interval): boolean => {
  const begin = segment.fromOf(document)
  return from < to && begin < to && (begin >= from || segment.toOf(document) > from)
}

/** Whether some document may overlap the interval, as far as the bounds show. */
const someOverlap = ({ earliest, latest, latestEnd }: TimeBounds, { from, to }: Interval): boolean =>
  from < to && earliest < to && (latest >= from || latestEnd > from)

/** Whether every document overlaps the interval, as far as the bounds show. */
const allOverlap = ({ earliest, latest }: TimeBounds, { from, to }: Interval): boolean =>
  from <= earliest && latest < to

/** Whether some document may pass the time filter. */
const someTimely = (bounds: TimeBounds, { outside, overlapping = [] }: FilterOptions): boolean =>
  overlapping.every((interval) => someOverlap(bounds, interval)) &&
  (outside === undefined || !allOverlap(bounds, outside))

/** Whether every document certainly passes the time filter. Segments are cut along time, so this is the usual case. */
const allTimely = (bounds: TimeBounds, { outside, overlapping = [] }: FilterOptions): boolean =>
  overlapping.every((interval) => allOverlap(bounds, interval)) &&
  (outside === undefined || !someOverlap(bounds, outside))

/** The entries of a group's labels that the segment has. */
const entriesOf = ({ segment }: ViewPart, group: ReadonlyArray<string>) =>
  group.map((tag) => segment.tags.find(tag)).filter((entry) => entry !== null)

/** The groups that some documents may not match. A segment of one source needs none of its documents looked at. */
const groupsIn = (part: ViewPart, { allOf = [] }: FilterOptions) =>
  allOf.map((group) => entriesOf(part, group))
    .filter((entries) => entries.every(({ count }) => count < part.segment.documentCount))

const blockUntagged = (
  { segment }: ViewPart,
  entries: ReturnType<typeof entriesOf>,
  blocked: Uint8Array
): void => {
  const tagged = new Uint8Array(segment.documentCount)
  for (const entry of entries) for (const document of segment.tagged(entry)) tagged[document] = 1
  for (let document = 0; document < blocked.length; document++) blocked[document]! |= 1 - tagged[document]!
}

const blockTimes = ({ segment }: ViewPart, options: FilterOptions, blocked: Uint8Array): void => {
  const { outside, overlapping = [] } = options
  for (const [block, bounds] of segment.timeBlocks.entries()) {
    if (allTimely(bounds, options)) continue
    const first = block * TIME_BLOCK
    const end = Math.min(first + TIME_BLOCK, blocked.length)
    if (!someTimely(bounds, options)) {
      blocked.fill(1, first, end)
      continue
    }
    for (let document = first; document < end; document++) {
      const passes = overlapping.every((interval) => overlaps(segment, document, interval)) &&
        (outside === undefined || !overlaps(segment, document, outside))
      if (!passes) blocked[document] = 1
    }
  }
}

/** Whether some document may pass, as far as the segment's bounds and labels show. */
export const mayPass = (part: ViewPart, options: FilterOptions): boolean =>
  someTimely(part.segment, options) && (options.allOf ?? []).every((group) => entriesOf(part, group).length > 0)

/** One byte per document, non-zero if it is masked or filtered out; null if every document passes. Do not modify. */
export const blockedIn = (part: ViewPart, options: FilterOptions): Uint8Array | null => {
  const { mask, segment } = part
  const groups = groupsIn(part, options)
  const timed = !allTimely(part.segment, options)
  if (groups.length === 0 && !timed) return mask.hidden
  const blocked = mask.hidden?.slice() ?? new Uint8Array(segment.documentCount)
  for (const entries of groups) blockUntagged(part, entries, blocked)
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

/** Whether a search with these filters can return anything. */
export const somePass = (parts: ReadonlyArray<ViewPart>, options: FilterOptions): boolean =>
  parts.some((part) => mayPass(part, options) && blockedIn(part, options)?.includes(0) !== false)

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
