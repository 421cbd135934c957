import { amount } from "../ui/numbers.ts"
import { sumOf } from "./traffic.ts"

/** The last 30 days at a glance. */
export const TrafficBars = ({ days }: { readonly days: ReadonlyArray<number> }) => {
  const highest = Math.max(1, ...days)
  return (
    <div
      className="days"
      role="img"
      aria-label={`${amount(sumOf(days), "request")} in the last 30 days, ${amount(days.at(-1) ?? 0, "request")} today`}
    >
      {days.map((requests, day) => (
        <span key={day} data-none={requests === 0} style={{ height: `${(requests / highest) * 100}%` }} />
      ))}
    </div>
  )
}
