/** How far back and ahead the knowledge context goes, and what that means on a given day. */
import { Schema } from "effect"
import { integer } from "./Integer.ts"
import { CalendarDate, DAY } from "./Timestamp.ts"

export const RelativeBound = Schema.Struct({
  type: Schema.Literal("relative"),
  /** For `start`, days back from today; for `end`, days ahead. */
  days: integer(1, 36_500)
}).annotate({ identifier: "RelativeBound" })

export const DateBound = Schema.Struct({
  type: Schema.Literal("date"),
  date: CalendarDate
}).annotate({ identifier: "DateBound" })

/** Null means no bound on that side, however old or far ahead the data is. */
export const Bound = Schema.NullOr(Schema.Union([RelativeBound, DateBound]))
export type Bound = typeof Bound.Type

export const TemporalSettings = Schema.Struct({ start: Bound, end: Bound })
  .annotate({ identifier: "KnowledgeTemporalSettings" })
export type TemporalSettings = typeof TemporalSettings.Type

export const KnowledgeSettings = Schema.Struct({ temporal_settings: TemporalSettings })
  .annotate({ identifier: "KnowledgeSettings" })
export type KnowledgeSettings = typeof KnowledgeSettings.Type

export const KnowledgeSettingsPatch = Schema.Struct({
  temporal_settings: Schema.optionalKey(Schema.NullOr(TemporalSettings))
})
export type KnowledgeSettingsPatch = typeof KnowledgeSettingsPatch.Type

/** One year back and one year ahead. */
export const DEFAULT_SETTINGS: KnowledgeSettings = {
  temporal_settings: { start: { type: "relative", days: 365 }, end: { type: "relative", days: 365 } }
}

/** Milliseconds since the epoch, half open: `[from, to)`. Infinite where there is no bound. */
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

export const isReversed = ({ from, to }: Range): boolean => from >= to

/** Whether a thing that begins at `from` and ends at `to` (the same moment for a point) meets the range; an empty one holds nothing. */
export const overlaps = (range: Range, from: number, to: number): boolean =>
  range.from < range.to && from < range.to && (to > range.from || from >= range.from)
