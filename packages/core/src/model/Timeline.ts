/** The distribution of a workspace's documents over time, of bounded size. */
import { Schema } from "effect"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const Timeline = Schema.Struct({
  /** UTC months as `YYYY-MM` in which documents start, oldest first; months without any are left out. */
  months: Schema.Array(Schema.Struct({ month: Schema.String, documents: Count })),
  /** Documents more than ten years before this month, and after it. */
  earlier: Count,
  later: Count,
  total: Count,
  /** Documents in the requested range, in whole UTC days. */
  in_range: Count
}).annotate({ identifier: "Timeline" })
export type Timeline = typeof Timeline.Type
