/**
 * Values by day. A drag over the drawing, or the keys of a slider, read out a day and choose some of them; a table has the
 * same for a screen reader.
 */
import type { ReactNode } from "react"
import { dayOf } from "../ui/time/Moment.tsx"
import { BRUSH_HINT } from "./BrushHint.tsx"
import type { DayRange } from "./days.ts"
import { dayTicks } from "./ticks.ts"
import { useBrush } from "./useBrush.ts"

const SHORT = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" })

interface Column {
  readonly name: string
  /** One for each day, as it is read; or null. */
  readonly values: ReadonlyArray<string | null>
}

interface Props {
  readonly title: string
  /** Labels of the vertical axis, from the bottom to the top, evenly apart. */
  readonly ticks: ReadonlyArray<string>
  /** `YYYY-MM-DD`, in UTC, at least one. */
  readonly days: ReadonlyArray<string>
  readonly columns: ReadonlyArray<Column>
  readonly legend?: ReactNode
  readonly onDays: (days: DayRange) => void
  /** The drawing. */
  readonly children: ReactNode
}

export const DayChart = ({ children, columns, days, legend = false, onDays, ticks, title }: Props) => {
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
    <div className="day-chart">
      <div className="day-reading small numeric" aria-hidden="true">{at !== null && read}</div>
      <div className="day-ticks small soft numeric" aria-hidden="true">
        {ticks.map((tick) => <span key={tick}>{tick}</span>)}
      </div>
      <div className="day-plot">
        <div className="day-grid" aria-hidden="true">{ticks.map((tick) => <span key={tick} />)}</div>
        {children}
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
      </div>
      <div className="day-axis small soft numeric" aria-hidden="true">
        {dayTicks(days.length).map((index) => {
          const place = `${(index + 0.5) / days.length * 100}%`
          return (
            <span key={index} style={{ left: place, transform: `translateX(-${place})` }}>
              {SHORT.format(new Date(days[index]!))}
            </span>
          )
        })}
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
