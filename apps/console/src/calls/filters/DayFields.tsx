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

/** From one day up to another, either of which may be left open. */
export const DayFields = ({ from = "", onChange, to = "" }: Props) => (
  <>
    <Field label="From">
      {(control) => (
        <input
          {...control}
          type="date"
          value={from}
          onChange={({ target }) => onChange({ from: target.value })}
        />
      )}
    </Field>
    <Field label="Up to and including">
      {(control) => (
        <input
          {...control}
          type="date"
          value={to}
          onChange={({ target }) => onChange({ to: target.value })}
        />
      )}
    </Field>
  </>
)
