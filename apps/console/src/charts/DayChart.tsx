/**
 * Values by day. A drag over the drawing, or the keys of a slider, read out a day and choose some of them; a table has the
 * same for a screen reader.
 */
import { AxisBottom, AxisLeft } from "@visx/axis"
import { useParentSize } from "@visx/responsive"
import { scaleBand, scaleLinear, scaleUtc } from "@visx/scale"
import { type ReactNode, useState } from "react"
import { DAY } from "../ui/time/day.ts"
import { rem } from "../ui/rem.ts"
import { dayOf } from "../ui/time/Moment.tsx"
import { BRUSH_HINT } from "./BrushHint.tsx"
import type { DayRange } from "./days.ts"
import { useBrush } from "./useBrush.ts"

const SHORT = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" })

/** In `rem`, as in the style sheet. */
const HEIGHT = 8.5
const LEFT = 3.75
const BOTTOM = 1.6
const NARROW = 20

/** Colours and sizes are those of the style sheet. */
const LABEL = { className: "tick", fill: "", fontSize: "", fontFamily: "" }

interface Column {
  readonly name: string
  /** One for each day, as it is read; or null. */
  readonly values: ReadonlyArray<string | null>
}

const scalesOf = (days: ReadonlyArray<string>, highest: number, width: number, height: number) => ({
  // Each day is as wide as the brush takes it to be.
  x: scaleBand({ domain: [...days], range: [0, width], paddingInner: 0.2, paddingOuter: 0.1 }),
  y: scaleLinear({ domain: [0, Math.max(1, highest)], range: [height, 0], nice: 4 })
})

interface Props {
  readonly title: string
  readonly highest: number
  readonly format: (value: number) => string
  /** `YYYY-MM-DD`, in UTC, at least one. */
  readonly days: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
  readonly legend?: ReactNode
  readonly onDays: (days: DayRange) => void
  /** The drawing. */
  readonly children: (scales: ReturnType<typeof scalesOf>) => ReactNode
}

export const DayChart = ({ children, columns, days, format, highest, legend = false, onDays, title }: Props) => {
  // At first narrower than any place for it: a wider one would make the page scroll sideways for a moment.
  const { parentRef, width } = useParentSize({ initialSize: { width: 150 } })
  const [{ bottom, height, left, narrow }] = useState(() => ({
    height: rem(HEIGHT),
    left: rem(LEFT),
    bottom: rem(BOTTOM),
    narrow: rem(NARROW)
  }))
  const plot = Math.max(1, width - left)
  const scales = scalesOf(days, highest, plot, height)
  const ticks = scales.y.ticks(4).filter(Number.isInteger)
  const half = plot / days.length / 2
  const time = scaleUtc({ domain: [new Date(days[0]!), new Date(days.at(-1)!)], range: [half, plot - half] })
  const { at, handlers, selected } = useBrush({
    count: days.length,
    onSelect: (first, last) => onDays({ from: days[first]!, to: days[last]! }),
    onReset: () => onDays({})
  })
  const ofDay = (index: number) => columns.map(({ values }) => values[index] ?? null)
  const readingOf = (index: number): string => {
    const parts = columns.flatMap(({ name, values }) =>
      typeof values[index] === "string" ? [`${name} ${values[index]}`] : []
    )
    return [dayOf(days[index]!), ...parts.length === 0 ? ["nothing"] : parts].join(", ")
  }
  const read = selected === null
    ? readingOf(at ?? days.length - 1)
    : `${dayOf(days[selected[0]]!)} to ${dayOf(days[selected[1]]!)}`
  const stretch = (first: number, last: number) => ({
    left: `${first / days.length * 100}%`,
    width: `${(last + 1 - first) / days.length * 100}%`
  })
  return (
    <div className="day-chart" ref={parentRef}>
      <div className="day-reading small numeric" aria-hidden="true">{at !== null && read}</div>
      <svg width={width} height={height + bottom} aria-hidden="true" className="day-drawing">
        <AxisLeft
          left={left}
          scale={scales.y}
          tickValues={ticks}
          tickFormat={(value) => format(Number(value))}
          hideAxisLine
          hideTicks
          tickLabelProps={LABEL}
        />
        {ticks.map((tick) => (
          <line key={tick} className="grid" x1={left} x2={width} y1={scales.y(tick)} y2={scales.y(tick)} />
        ))}
        <g transform={`translate(${left} 0)`}>{children(scales)}</g>
        <AxisBottom
          left={left}
          top={height}
          scale={time}
          tickValues={time.ticks(plot < narrow ? 2 : 4).filter((moment) => moment.getTime() % DAY === 0)}
          tickFormat={(day) => SHORT.format(day as Date)}
          hideTicks
          tickLabelProps={LABEL}
        />
      </svg>
      <div
        className="day-brush"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, day by day`}
        aria-describedby={BRUSH_HINT}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(at ?? days.length - 1) + 1}
        aria-valuetext={read}
        {...handlers}
      >
        {at !== null && <span style={stretch(...selected ?? [at, at])} />}
      </div>
      {legend !== false && <div className="day-legend small soft" aria-hidden="true">{legend}</div>}
      {/* A table grows beyond the height it is given, and would make the page longer. */}
      <div className="hidden-text">
        <table>
          <caption>{title} by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              {columns.map(({ name }) => <th key={name} scope="col">{name}</th>)}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) =>
              ofDay(index).some((value) => value !== null) && (
                <tr key={day}>
                  <th scope="row">{dayOf(day)}</th>
                  {ofDay(index).map((value, column) => <td key={column}>{value}</td>)}
                </tr>
              )
            )}
          </tbody>
        </table>
      </div>
    </div>
  )
}
