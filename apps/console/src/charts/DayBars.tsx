import { counted } from "../ui/numbers.ts"
import { DayChart } from "./DayChart.tsx"
import type { DayRange } from "./days.ts"
import { Bar } from "@visx/shape"

interface DayBar {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string
  readonly all: number
  /** Of all of them; drawn in the colour of what needs somebody. */
  readonly bad: number
}

interface Props {
  /** What is counted, such as "questions", and what the bad ones are, such as "not answered". */
  readonly what: string
  readonly badWhat: string
  readonly days: ReadonlyArray<DayBar>
  readonly onDays: (days: DayRange) => void
}

export const DayBars = ({ badWhat, days, onDays, what }: Props) => {
  const column = (name: string, value: (bar: DayBar) => number) => ({
    name,
    values: days.map((bar) => bar.all === 0 ? null : counted(value(bar)))
  })
  return (
    <DayChart
      title={what}
      highest={Math.max(0, ...days.map(({ all }) => all))}
      format={counted}
      days={days.map(({ day }) => day)}
      columns={[column(what, ({ all }) => all), column(badWhat, ({ bad }) => bad)]}
      onDays={onDays}
    >
      {({ x, y }) =>
        days.map(({ all, bad, day }) => (
          <g key={day} className="day-bar">
            <Bar x={x(day)!} width={x.bandwidth()} y={y(all - bad)} height={y(0) - y(all - bad)} />
            <Bar className="bad" x={x(day)!} width={x.bandwidth()} y={y(all)} height={y(all - bad) - y(all)} />
          </g>
        ))}
    </DayChart>
  )
}
