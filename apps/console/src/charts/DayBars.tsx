import { counted } from "../ui/numbers.ts"
import { DayChart } from "./DayChart.tsx"
import type { DayRange } from "./days.ts"
import { ticksOf } from "./ticks.ts"

export interface DayBar {
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

/** One bar for each day. */
export const DayBars = ({ badWhat, days, onDays, what }: Props) => {
  const ticks = ticksOf(Math.max(0, ...days.map(({ all }) => all)))
  const percent = (count: number): string => `${(count / ticks.at(-1)!) * 100}%`
  const column = (name: string, value: (bar: DayBar) => number) => ({
    name,
    values: days.map((bar) => bar.all === 0 ? null : counted(value(bar)))
  })
  return (
    <DayChart
      title={what}
      ticks={ticks.map(counted)}
      days={days.map(({ day }) => day)}
      columns={[column(what, ({ all }) => all), column(badWhat, ({ bad }) => bad)]}
      onDays={onDays}
    >
      {days.map(({ all, bad, day }) => (
        <span key={day} className="day-bar">
          <span style={{ height: percent(all - bad) }} />
          <span className="bad" style={{ height: percent(bad) }} />
        </span>
      ))}
    </DayChart>
  )
}
