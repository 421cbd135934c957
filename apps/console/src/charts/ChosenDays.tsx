import { DayFields } from "../calls/filters/DayFields.tsx"
import { Button } from "../ui/Button.tsx"
import type { DayRange } from "./days.ts"

interface Props {
  readonly days: DayRange
  readonly onDays: (days: DayRange) => void
}

/** The days that a page shows. */
export const ChosenDays = ({ days, onDays }: Props) => (
  <div className="chosen-days">
    <DayFields from={days.from} to={days.to} onChange={(changed) => onDays({ ...days, ...changed })} />
    {(days.from !== undefined || days.to !== undefined) && <Button onClick={() => onDays({})}>Show all days</Button>}
  </div>
)
