import { Field } from "./Field.tsx"

interface Props {
  readonly label?: string
  readonly hint?: string
  readonly fault?: string | null
  readonly value: string
  readonly onChange: (name: string) => void
}

/** A required name. */
export const NameField = ({ fault = null, hint, label = "Name", onChange, value }: Props) => (
  <Field label={label} hint={hint} fault={fault}>
    {(control) => (
      <input
        {...control}
        value={value}
        maxLength={255}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
      />
    )}
  </Field>
)
