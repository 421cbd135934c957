/** How often requests found their index in memory. */
import { Metric } from "effect"
import type { Span } from "../../ports/KnowledgeStore.ts"
import { missingSegments, type View } from "../View.ts"

const lookups = Metric.counter("tributary_context_lookups_total", {
  description: "How many requests found the workspace's index in memory, or had to load some of it",
  incremental: true
})
const inMemory = Metric.withAttributes(lookups, { from: "memory" })
const fromStorage = Metric.withAttributes(lookups, { from: "storage" })

/** What does not fit into the budget is read for every query. */
export const countLookup = (view: View, range: Span) =>
  Metric.update(missingSegments(view, range).length === 0 ? inMemory : fromStorage, 1)
