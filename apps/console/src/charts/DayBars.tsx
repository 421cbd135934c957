import { counted } from "../ui/numbers.ts"
import { dayOf } from "../ui/time/Moment.tsx"

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
}

/** One bar for each day, and the same as a table for those who do not see it. */
export const DayBars = ({ badWhat, days, what }: Props) => {
  const highest = Math.max(1, ...days.map(({ all }) => all))
  const percent = (count: number): string => `${(count / highest) * 100}%`
  return (
    <div className="day-bars">
      <div className="day-bars-plot" aria-hidden="true">
        <span className="day-bars-top small soft numeric">{counted(highest)}</span>
        {days.map(({ all, bad, day }) => (
          <span
            key={day}
            className="day-bar"
            title={`${dayOf(day)}: ${counted(all)} ${what}, ${counted(bad)} ${badWhat}`}
          >
            <span style={{ height: percent(all - bad) }} />
            <span className="bad" style={{ height: percent(bad) }} />
          </span>
        ))}
      </div>
      <div className="day-bars-ends small soft" aria-hidden="true">
        <span>{days[0] !== undefined && dayOf(days[0].day)}</span>
        <span>{days.length > 0 && dayOf(days.at(-1)!.day)}</span>
      </div>
      <table className="hidden-text">
        <caption>{what} by day</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">{what}</th>
            <th scope="col">{badWhat}</th>
          </tr>
        </thead>
        <tbody>
          {days.filter(({ all }) => all > 0).map(({ all, bad, day }) => (
            <tr key={day}>
              <th scope="row">{dayOf(day)}</th>
              <td>{all}</td>
              <td>{bad}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
