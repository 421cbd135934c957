/** The range of the knowledge context. */
import { Schema } from "effect"
import { integer } from "./Integer.ts"
import { CalendarDate } from "./Timestamp.ts"

export const RelativeBound = Schema.Struct({
  /** A number of days from today. */
  type: Schema.Literal("relative"),
  /** For `start`, days back from today; for `end`, days ahead. Whole UTC days. */
  days: integer(1, 36_500)
}).annotate({ identifier: "RelativeBound" })

export const DateBound = Schema.Struct({
  /** A fixed date. */
  type: Schema.Literal("date"),
  /** A fixed calendar date; the whole day counts. */
  date: CalendarDate
}).annotate({ identifier: "DateBound" })

/** Null means no bound on that side. */
export const Bound = Schema.NullOr(Schema.Union([RelativeBound, DateBound]))
export type Bound = typeof Bound.Type

export const TemporalSettings = Schema.Struct({
  /** The earliest data built into the context. Null: everything, however old. */
  start: Bound,
  /** The latest dated data built into the context. Null: everything, however far ahead. */
  end: Bound
})
  .annotate({ identifier: "KnowledgeTemporalSettings" })
export type TemporalSettings = typeof TemporalSettings.Type

export const KnowledgeSettings = Schema.Struct({
  /** How far back and ahead the context goes. */
  temporal_settings: TemporalSettings
})
  .annotate({ identifier: "KnowledgeSettings" })
export type KnowledgeSettings = typeof KnowledgeSettings.Type

export const KnowledgeSettingsPatch = Schema.Struct({
  /** Replaces the range and starts a rebuild. Absent or null: it stays as it is. */
  temporal_settings: Schema.optionalKey(Schema.NullOr(TemporalSettings))
})
export type KnowledgeSettingsPatch = typeof KnowledgeSettingsPatch.Type

/** One year back and one year ahead. */
export const DEFAULT_SETTINGS: KnowledgeSettings = {
  temporal_settings: { start: { type: "relative", days: 365 }, end: { type: "relative", days: 365 } }
}
