/** Descriptions of the fields of the usage history. */
import type { Words } from "./Words.ts"

export const USAGE_FIELDS: Readonly<Record<string, Words>> = {
  UsageHistory: { days: "Oldest first. Days on which nothing happened are absent." },
  DayUsage: {
    day: "The day, in UTC.",
    documents: "How many documents were stored when the workspace was last used that day.",
    storage: "How many bytes were stored then.",
    operations: "What was asked for, the most frequent first."
  },
  OperationUsage: {
    operation: "Its method and path.",
    requests: "How many requests there were, those that were refused included.",
    refusals: "How many of them were refused or failed, by `error_code`.",
    p50_ms: "Milliseconds in which half of those that succeeded began to be answered. Null: none succeeded.",
    p95_ms: "The same for 95 of 100."
  }
}
