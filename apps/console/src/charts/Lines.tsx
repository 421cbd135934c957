import { DayChart } from "./DayChart.tsx"
import type { DayRange } from "./days.ts"
import { ticksOf } from "./ticks.ts"

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
  readonly onDays: (days: DayRange) => void
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

/** Values by day as lines. */
export const Lines = ({ days, format, onDays, series, title }: Props) => {
  const ticks = ticksOf(Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0))))
  return (
    <DayChart
      title={title}
      ticks={ticks.map(format)}
      days={days}
      columns={series.map(({ name, values }) => ({
        name,
        values: values.map((value) => value === null ? null : format(value))
      }))}
      legend={series.length > 1 &&
        series.map(({ name, tone }) => <span key={name} className={`line-name ${tone}`}>{name}</span>)}
      onDays={onDays}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="lines" aria-hidden="true">
        {series.map(({ name, tone, values }) => <path key={name} className={tone} d={pathOf(values, ticks.at(-1)!)} />)}
      </svg>
    </DayChart>
  )
}
