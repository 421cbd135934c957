/** The range of the knowledge context. */
import { Schema } from "effect"
import { integer } from "./Integer.ts"
import { CalendarDate } from "./Timestamp.ts"

export const RelativeBound = Schema.Struct({
  type: Schema.Literal("relative"),
  /** For `start`, days back from today; for `end`, days ahead. */
  days: integer(1, 36_500)
}).annotate({ identifier: "RelativeBound" })

export const DateBound = Schema.Struct({
  type: Schema.Literal("date"),
  date: CalendarDate
}).annotate({ identifier: "DateBound" })

/** Null means no bound on that side. */
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
