import { Field } from "./Field.tsx"

interface Props {
  /** Also shown in the field while it is empty. */
  readonly label: string
  readonly hint?: string
  readonly fault?: string | null
  readonly value: string
  readonly onChange: (words: string) => void
}

/** Words to find something by. */
export const SearchField = ({ onChange, value, ...field }: Props) => (
  <Field {...field} hideLabel>
    {(control) => (
      <input
        {...control}
        type="search"
        placeholder={field.label}
        value={value}
        maxLength={1_000}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
)
