import type { Bound } from "@tributary/core/model/KnowledgeSettings"
import { type RefObject, useRef } from "react"
import { useSlider, useSliderThumb } from "react-aria/useSlider"
import { useSliderState } from "react-stately/useSliderState"
import { dayIn } from "../charts/days.ts"
import { DAY } from "../ui/time/day.ts"
import { dayOf } from "../ui/time/Moment.tsx"
import type { Axis } from "./axis.ts"

const MAX_DAYS = 36_500
const MONTH = 30

// Required by the state; the text of the value below replaces what it writes.
const numberFormatter = new Intl.NumberFormat("en")

interface Props {
  readonly side: "start" | "end"
  readonly bound: Bound
  readonly axis: Axis
  readonly plot: RefObject<HTMLDivElement | null>
  readonly onChange: (bound: Bound) => void
}

// Days are counted since 1970, as in `Date`.
const today = (): number => Math.floor(Date.now() / DAY)

/** A relative bound stays relative, unless it is moved past today. */
const moved = (bound: Bound, side: Props["side"], day: number): Bound => {
  const days = side === "start" ? today() - day : day - today()
  return bound?.type !== "date" && days >= 1 && days <= MAX_DAYS
    ? { type: "relative", days }
    : { type: "date", date: dayIn(new Date(day * DAY)) }
}

/** One end of the range. Each is a slider of its own, because one may be moved past the other. */
export const Handle = ({ axis, bound, onChange, plot, side }: Props) => {
  const input = useRef<HTMLInputElement>(null)
  const isStart = side === "start"
  // The range ends after its last day.
  const after = isStart ? 0 : 1
  const [minValue, maxValue] = [axis.from / DAY, axis.to / DAY]
  const day = bound === null
    ? isStart ? minValue : maxValue - after
    : bound.type === "date"
    ? Date.parse(bound.date) / DAY
    : today() + (isStart ? -bound.days : bound.days)
  const slider = {
    "aria-label": isStart ? "Start of the range" : "End of the range",
    minValue,
    maxValue,
    value: [day + after],
    onChange: ([value = day + after]: ReadonlyArray<number>) => onChange(moved(bound, side, value - after))
  }
  const state = { ...useSliderState({ ...slider, numberFormatter }), pageSize: MONTH }
  const { groupProps } = useSlider(slider, state, plot)
  const { inputProps, thumbProps } = useSliderThumb({ trackRef: plot, inputRef: input }, state)
  return (
    <div {...groupProps}>
      <div {...thumbProps} className="timeline-handle">
        <input
          {...inputProps}
          ref={input}
          aria-valuetext={bound === null ? "No bound" : dayOf(new Date(day * DAY))}
        />
      </div>
    </div>
  )
}
