import { Field } from "./Field.tsx"

interface Props<Value extends string> {
  readonly label: string
  readonly hint?: string
  readonly hideLabel?: boolean
  readonly value: Value
  /** Values with their names. */
  readonly options: ReadonlyArray<readonly [Value, string]>
  readonly onChange: (value: Value) => void
}

/** One of several values, applied as soon as it is chosen. */
export const SelectField = <Value extends string>({ onChange, options, value, ...field }: Props<Value>) => (
  <Field {...field}>
    {(control) => (
      <select
        {...control}
        value={value}
        onChange={({ target }) => onChange(target.value as Value)}
      >
        {options.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
        {/* An address may name what is gone. */}
        {!options.some(([one]) =>
          one === value
        ) && <option value={value}>{value}</option>}
      </select>
    )}
  </Field>
)
