import { SelectField } from "../../ui/forms/SelectField.tsx"

interface Props {
  readonly value: "in" | "out" | undefined
  readonly onChange: (where: string) => void
}

/** In the knowledge context, or not. */
export const WhereField = ({ onChange, value }: Props) => (
  <SelectField
    label="Where"
    value={value ?? ""}
    onChange={onChange}
    options={[["", "Anywhere"], ["in", "In the context only"], ["out", "Outside of it only"]]}
  />
)
