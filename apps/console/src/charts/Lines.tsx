import { dayOf } from "../ui/time/Moment.tsx"

export interface Series {
  readonly name: string
  /** One for each day; null for a day without a value. */
  readonly values: ReadonlyArray<number | null>
  readonly tone: "accent" | "warn"
}

interface Props {
  readonly title: string
  readonly days: ReadonlyArray<string>
  readonly series: ReadonlyArray<Series>
  readonly format: (value: number) => string
}

const WIDTH = 1_000
const HEIGHT = 100

/** Days that follow each other are joined; one alone is a short stroke. */
const pathOf = (values: ReadonlyArray<number | null>, highest: number): string => {
  const step = WIDTH / Math.max(1, values.length)
  return values.map((value, index) => {
    if (value === null) return ""
    const x = index * step
    const y = HEIGHT - value / highest * HEIGHT
    const begins = index === 0 || values[index - 1] === null
    return `${begins ? "M" : "L"}${x} ${y}L${x + step} ${y}`
  }).join("")
}

/** Values by day as lines, and the same as a table for those who do not see them. */
export const Lines = ({ days, format, series, title }: Props) => {
  const highest = Math.max(1, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return (
    <div className="day-bars">
      <div className="day-bars-plot" aria-hidden="true">
        <span className="day-bars-top small soft numeric">{format(highest)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="lines">
          {series.map(({ name, tone, values }) => <path key={name} className={tone} d={pathOf(values, highest)} />)}
        </svg>
      </div>
      <div className="day-bars-ends small soft" aria-hidden="true">
        <span>{days[0] !== undefined && dayOf(days[0])}</span>
        <span>
          {series.map(({ name, tone }) => <span key={name} className={`line-name ${tone}`}>{name}</span>)}
        </span>
        <span>{days.length > 0 && dayOf(days.at(-1)!)}</span>
      </div>
      <table className="hidden-text">
        <caption>{title} by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => <th key={name} scope="col">{name}</th>)}
          </tr>
        </thead>
        <tbody>
          {days.flatMap((day, index) => {
            const values = series.map(({ values }) => values[index] ?? null)
            return values.every((value) => value === null) ? [] : (
              <tr key={day}>
                <th scope="row">{dayOf(day)}</th>
                {values.map((value, column) => <td key={column}>{value === null ? "" : format(value)}</td>)}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
