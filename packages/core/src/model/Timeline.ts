/** How what a workspace stores lies in time: a picture for people, bounded however much is stored. */
import { Schema } from "effect"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const Timeline = Schema.Struct({
  /** Months of UTC as `YYYY-MM` in which something begins, oldest first; others hold nothing. */
  months: Schema.Array(Schema.Struct({ month: Schema.String, documents: Count })),
  /** What lies more than ten years before this month, and after it. */
  earlier: Count,
  later: Count,
  total: Count,
  /** What meets the range that was asked about, in whole UTC days. */
  in_range: Count
}).annotate({ identifier: "Timeline" })
export type Timeline = typeof Timeline.Type
