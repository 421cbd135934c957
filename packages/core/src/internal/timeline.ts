/** Counts documents by the month in which they begin. */
import { countDocuments, type ViewPart } from "@tributary/retrieval"
import type { Range } from "../model/KnowledgeSettings.ts"
import { type Timeline, TIMELINE_MONTHS } from "../model/Timeline.ts"

/** How many of the ascending `starts` are at or before `moment`. */
const position = (starts: ReadonlyArray<number>, moment: number): number => {
  let [low, high] = [0, starts.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= moment) low = middle + 1
    else high = middle
  }
  return low
}

export const timelineOf = (parts: ReadonlyArray<ViewPart>, range: Range, now: number): Timeline => {
  const today = new Date(now)
  const starts = Array.from(
    { length: 2 * TIMELINE_MONTHS + 2 },
    (_, index) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + index - TIMELINE_MONTHS)
  )
  const counts = new Uint32Array(starts.length + 1)
  for (const { mask, segment } of parts) {
    for (let document = 0; document < segment.documentCount; document++) {
      if (!mask.hides(document)) counts[position(starts, segment.fromOf(document))]!++
    }
  }
  return {
    months: starts.slice(0, -1).flatMap((start, index) => {
      const documents = counts[index + 1]!
      return documents === 0 ? [] : [{ month: new Date(start).toISOString().slice(0, 7), documents }]
    }),
    earlier: counts[0]!,
    later: counts.at(-1)!,
    total: countDocuments(parts, {}),
    in_range: countDocuments(parts, range)
  }
}
