import { Field } from "../../ui/forms/Field.tsx"

interface Days {
  /** `YYYY-MM-DD`, in UTC; empty for no bound. `to` is the last day. */
  readonly from: string
  readonly to: string
}

interface Props {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly onChange: (changed: Partial<Days>) => void
}

const LABELS = { from: "From", to: "Up to and including" } as const

/** From one day up to another, either of which may be left open. */
export const DayFields = ({ onChange, ...days }: Props) =>
  (["from", "to"] as const).map((bound) => (
    <Field key={bound} label={LABELS[bound]}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={days[bound] ?? ""}
          onChange={({ target }) => onChange({ [bound]: target.value })}
        />
      )}
    </Field>
  ))
