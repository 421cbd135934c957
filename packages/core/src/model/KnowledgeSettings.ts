/** The range of the knowledge context. */
import { Schema } from "effect"
import { integer } from "./Integer.ts"
import { optional } from "./optional.ts"
import { CalendarDate } from "./Timestamp.ts"

export const RelativeBound = Schema.Struct({
  /** A number of days from today. */
  type: Schema.Literal("relative"),
  /** Days before today for `start`, days after today for `end`. Whole UTC days. */
  days: integer(1, 36_500)
}).annotate({ identifier: "RelativeBound" })

export const DateBound = Schema.Struct({
  /** A fixed date. */
  type: Schema.Literal("date"),
  /** The date. The whole day is included. */
  date: CalendarDate
}).annotate({ identifier: "DateBound" })

/** Null means no bound on that side. */
export const Bound = Schema.NullOr(Schema.Union([RelativeBound, DateBound]))
export type Bound = typeof Bound.Type

export const TemporalSettings = Schema.Struct({
  /** The start of the range. Null: no limit. */
  start: Bound,
  /** The end of the range. Null: no limit. */
  end: Bound
})
  .annotate({ identifier: "KnowledgeTemporalSettings" })
export type TemporalSettings = typeof TemporalSettings.Type

export const KnowledgeSettings = Schema.Struct({
  /** The time range that the context covers. */
  temporal_settings: TemporalSettings
})
  .annotate({ identifier: "KnowledgeSettings" })
export type KnowledgeSettings = typeof KnowledgeSettings.Type

export const KnowledgeSettingsPatch = Schema.Struct({
  /** The new time range, which starts a rebuild. Absent or null: unchanged. */
  temporal_settings: optional(TemporalSettings)
})
export type KnowledgeSettingsPatch = typeof KnowledgeSettingsPatch.Type

/** One year back and one year ahead. */
export const DEFAULT_SETTINGS: KnowledgeSettings = {
  temporal_settings: { start: { type: "relative", days: 365 }, end: { type: "relative", days: 365 } }
}
