import { useSourceNames } from "../../sources/useSourceNames.ts"
import { Field } from "../../ui/forms/Field.tsx"

/** A select of connectors and connections by name; the empty value means all. */
export const FilterSource = (
  { onChange, value }: { readonly value: string; readonly onChange: (source: string) => void }
) => {
  const names = useSourceNames()
  return (
    <Field label="Source">
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">Everything</option>
          {[...names].map(([value, name]) => <option key={value} value={value}>{name}</option>)}
        </select>
      )}
    </Field>
  )
}
