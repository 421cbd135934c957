/** The meaning of a temporal range on a given day. Free of schemas, so that browsers can load it alone. */
import { DAY } from "./Day.ts"
import type { Bound, TemporalSettings } from "./KnowledgeSettings.ts"

/** Milliseconds since the epoch, half open: `[from, to)`. Infinite without a bound. */
export interface Range {
  readonly from: number
  readonly to: number
}

const firstMoment = (bound: NonNullable<Bound>, today: number, direction: -1 | 1): number =>
  bound.type === "relative" ? today + direction * bound.days * DAY : Date.parse(`${bound.date}T00:00:00.000Z`)

/** Whole UTC days: from 00:00 of the first day to the end of the last one. */
export const resolveRange = ({ start, end }: TemporalSettings, now: number): Range => {
  const today = Math.floor(now / DAY) * DAY
  return {
    from: start === null ? -Infinity : firstMoment(start, today, -1),
    to: end === null ? Infinity : firstMoment(end, today, 1) + DAY
  }
}

/** A bound that is absent is open. */
export const toRange = (
  { from, to }: { readonly from?: Date | null | undefined; readonly to?: Date | null | undefined }
): Range => ({ from: from?.getTime() ?? -Infinity, to: to?.getTime() ?? Infinity })

export const isReversed = ({ from, to }: Range): boolean => from >= to

/** Warns of a range of no moment, which a program may not mean so. */
export const rangeWarnings = (range: Parameters<typeof toRange>[0]): ReadonlyArray<string> =>
  isReversed(toRange(range)) ? ["from, to: nothing matches, because from is not before to"] : []

/** Whether the interval from `from` to `to` (equal for a point) overlaps the range. An empty range contains nothing. */
export const overlaps = (range: Range, from: number, to: number): boolean =>
  range.from < range.to && from < range.to && (to > range.from || from >= range.from)

/** How many months a timeline shows before and after the current one. */
export const TIMELINE_MONTHS = 120
