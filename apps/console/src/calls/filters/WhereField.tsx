import { Field } from "../../ui/forms/Field.tsx"

interface Props {
  readonly value: "in" | "out" | undefined
  readonly onChange: (where: string) => void
}

/** In the knowledge context, or not. */
export const WhereField = ({ onChange, value }: Props) => (
  <Field label="Where">
    {(control) => (
      <select {...control} value={value ?? ""} onChange={({ target }) => onChange(target.value)}>
        <option value="">Anywhere</option>
        <option value="in">In the context only</option>
        <option value="out">Outside of it only</option>
      </select>
    )}
  </Field>
)
