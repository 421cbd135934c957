import type { Bound } from "@tributary/core/model/KnowledgeSettings"
import type { KeyboardEvent, PointerEvent, RefObject } from "react"
import { dayOf } from "../ui/time/Moment.tsx"
import type { Axis } from "./axis.ts"
import { DAY } from "../ui/time/day.ts"

const LONGEST = 36_500

interface Props {
  readonly side: "start" | "end"
  readonly bound: Bound
  readonly axis: Axis
  readonly plot: RefObject<HTMLDivElement | null>
  readonly onChange: (bound: Bound) => void
}

const today = (): number => Math.floor(Date.now() / DAY) * DAY

/** The first moment of the day that the bound names; outside the picture if there is no bound. */
const dayOfBound = (bound: Bound, side: Props["side"], axis: Axis): number => {
  if (bound === null) return axis.momentOf(side === "start" ? 0 : 1)
  if (bound.type === "date") return Date.parse(`${bound.date}T00:00:00Z`)
  return today() + (side === "start" ? -bound.days : bound.days) * DAY
}

/** A relative bound stays relative, unless it is dragged past today. */
const moved = (bound: Bound, side: Props["side"], day: number): Bound => {
  const days = Math.round((side === "start" ? today() - day : day - today()) / DAY)
  return bound?.type !== "date" && days >= 1 && days <= LONGEST
    ? { type: "relative", days }
    : { type: "date", date: new Date(Math.floor(day / DAY) * DAY).toISOString().slice(0, 10) }
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -30,
  PageUp: 30
}

/**
 * One end of the range, to be dragged, or moved by keys: by a day with the arrows, by a month with Page Up and Down, to the
 * ends of the picture with Home and End.
 */
export const Handle = ({ axis, bound, onChange, plot, side }: Props) => {
  const day = dayOfBound(bound, side, axis)
  const shown = axis.fractionOf(side === "start" ? day : day + DAY)
  const drag = ({ clientX, currentTarget, pointerId }: PointerEvent<HTMLDivElement>) => {
    const box = plot.current?.getBoundingClientRect()
    if (box === undefined || !currentTarget.hasPointerCapture(pointerId)) return
    onChange(moved(bound, side, axis.momentOf((clientX - box.left) / box.width)))
  }
  const [first, last] = [axis.months[0]!.from, axis.months.at(-1)!.to]
  const reached = (key: string): number | undefined =>
    key === "Home" ? first : key === "End" ? last - DAY : STEPS[key] === undefined ? undefined : day + STEPS[key] * DAY
  const press = (event: KeyboardEvent) => {
    const to = reached(event.key)
    if (to === undefined) return
    event.preventDefault()
    onChange(moved(bound, side, to))
  }
  return (
    <div
      className="timeline-handle"
      style={{ left: `${shown * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={side === "start" ? "Start of the range" : "End of the range"}
      aria-valuemin={Math.round(first / DAY)}
      aria-valuemax={Math.round(last / DAY)}
      aria-valuenow={Math.round(day / DAY)}
      aria-valuetext={bound === null ? "No bound" : dayOf(new Date(day))}
      onKeyDown={press}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  )
}
