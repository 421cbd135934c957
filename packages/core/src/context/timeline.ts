/** Counts documents by the month of their start. */
import { countDocuments, type ViewPart } from "@tributary/retrieval"
import type { Range } from "../model/TemporalRange.ts"
import type { Timeline } from "../model/Timeline.ts"
import { TIMELINE_MONTHS } from "../model/TemporalRange.ts"

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

/** The start of each counted month, and of the month after the last. */
const startsAround = (now: number): ReadonlyArray<number> => {
  const today = new Date(now)
  return Array.from(
    { length: 2 * TIMELINE_MONTHS + 2 },
    (_, index) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + index - TIMELINE_MONTHS)
  )
}

/** The counts of some parts of a view. */
interface Tally {
  /** Before the first month, in each month, and after the last. */
  readonly counts: Uint32Array
  readonly inRange: number
}

const countMonths = ({ mask, segment }: ViewPart, starts: ReadonlyArray<number>, counts: Uint32Array): void => {
  const first = position(starts, segment.earliest)
  if (first === position(starts, segment.latest)) {
    counts[first]! += segment.documentCount - mask.hiddenDocuments
    return
  }
  for (let document = 0; document < segment.documentCount; document++) {
    if (!mask.hides(document)) counts[position(starts, segment.fromOf(document))]!++
  }
}

/** Pauses at each `yield`. */
export function* tallyOf(parts: ReadonlyArray<ViewPart>, range: Range, now: number): Generator<void, Tally> {
  const starts = startsAround(now)
  const counts = new Uint32Array(starts.length + 1)
  let inRange = 0
  for (const part of parts) {
    countMonths(part, starts, counts)
    inRange += countDocuments([part], { overlapping: [range] })
    yield
  }
  return { counts, inRange }
}

export const timelineOf = (tallies: ReadonlyArray<Tally>, now: number): Timeline => {
  const starts = startsAround(now)
  const sum = (count: (tally: Tally) => number) => tallies.reduce((sum, tally) => sum + count(tally), 0)
  return {
    months: starts.slice(0, -1).flatMap((start, index) => {
      const documents = sum(({ counts }) => counts[index + 1]!)
      return documents === 0 ? [] : [{ month: new Date(start).toISOString().slice(0, 7), documents }]
    }),
    earlier: sum(({ counts }) => counts[0]!),
    later: sum(({ counts }) => counts.at(-1)!),
    total: sum(({ counts }) => counts.reduce((total, count) => total + count, 0)),
    in_range: sum(({ inRange }) => inRange)
  }
}
