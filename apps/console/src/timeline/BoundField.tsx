import type { Bound } from "@tributary/core/model/KnowledgeSettings"
import { useId } from "react"
import { dayIn } from "../charts/days.ts"
import { Field } from "../ui/forms/Field.tsx"
import { DAY } from "../ui/time/day.ts"
import { NumberInput } from "../ui/forms/NumberInput.tsx"

interface Props {
  readonly side: "start" | "end"
  readonly legend?: string
  readonly bound: Bound
  readonly onChange: (bound: Bound) => void
}

const todayIn = (days: number): string => dayIn(new Date(Date.now() + days * DAY))

/** One end of the range: this many days from today, a date, or none. */
export const BoundField = ({ bound, legend, onChange, side }: Props) => {
  const name = useId()
  const isStart = side === "start"
  const kinds = [
    ["relative", isStart ? "Days back from today" : "Days ahead of today", { type: "relative", days: 365 }],
    ["date", isStart ? "From a date" : "Up to a date", { type: "date", date: todayIn(isStart ? -365 : 365) }],
    ["none", isStart ? "However old" : "However far ahead", null]
  ] as const
  return (
    <fieldset className="stack">
      <legend className="legend">{legend ?? (isStart ? "Start" : "End")}</legend>
      <div className="choices">
        {kinds.map(([kind, label, standard]) => (
          <label key={kind} className="choice">
            <input
              type="radio"
              name={name}
              checked={(bound?.type ?? "none") === kind}
              onChange={() => onChange(standard)}
            />
            <b>{label}</b>
          </label>
        ))}
      </div>
      {bound?.type === "relative" && (
        <NumberInput
          label="Days"
          hint={isStart ? "The range moves along with the calendar." : "Future events, such as those of a calendar."}
          minimum={1}
          maximum={36_500}
          value={bound.days}
          onChange={(days) => onChange({ type: "relative", days })}
        />
      )}
      {bound?.type === "date" && (
        <Field label="Date" hint="The whole day, in UTC.">
          {(control) => (
            <input
              {...control}
              type="date"
              value={bound.date}
              onChange={({ target: { value } }) => {
                if (value !== "") onChange({ type: "date", date: value })
              }}
            />
          )}
        </Field>
      )}
    </fieldset>
  )
}
