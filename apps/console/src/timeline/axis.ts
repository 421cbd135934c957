/** The months of the timeline and the position of a time among them, in UTC. */
import type { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import { type Range, resolveRange } from "@tributary/core/model/TemporalRange"
import type { Timeline } from "@tributary/core/model/Timeline"
import { TIMELINE_MONTHS } from "@tributary/core/model/TemporalRange"

interface Month {
  /** `YYYY-MM`. */
  readonly name: string
  readonly from: number
  readonly to: number
}

export interface Axis {
  readonly months: ReadonlyArray<Month>
  readonly from: number
  readonly to: number
  /** From 0 at the left end to 1 at the right one, which also represent everything beyond them. */
  fractionOf(moment: number): number
}

/** Months since year 0. */
const indexOf = (moment: number): number => {
  const date = new Date(moment)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

const startOf = (index: number): number => {
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(index / 12), index % 12, 1)
  return date.getTime()
}

const monthAt = (index: number): Month => {
  const from = startOf(index)
  return { name: new Date(from).toISOString().slice(0, 7), from, to: startOf(index + 1) }
}

const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

/** Covers the data and the range with a margin: at least a year, at most the months that the counts cover. */
export const axisOf = ({ months }: Pick<Timeline, "months">, range: TemporalSettings, now: number): Axis => {
  const today = indexOf(now)
  const resolved = resolveRange(range, now)
  const moments = [resolved.from, resolved.to].filter(Number.isFinite)
  const wanted = [today - 11, today + 1, ...months.map(({ month }) => indexOf(Date.parse(`${month}-01`)))].concat(
    moments.map(indexOf)
  )
  const inside = wanted.map((index) => clamp(index, today - TIMELINE_MONTHS, today + TIMELINE_MONTHS))
  const [first, last] = [Math.min(...inside) - 1, Math.max(...inside) + 1]
  const shown = Array.from({ length: last - first + 1 }, (_, index) => monthAt(first + index))
  const [from, to] = [startOf(first), startOf(last + 1)]
  return { months: shown, from, to, fractionOf: (moment) => clamp((moment - from) / (to - from), 0, 1) }
}

export const isInside = ({ from, to }: Month, range: Range): boolean => from < range.to && to > range.from

const LABEL = new Intl.DateTimeFormat("en", { month: "short", year: "numeric", timeZone: "UTC" })

export const labelOf = (moment: number): string => LABEL.format(moment)
