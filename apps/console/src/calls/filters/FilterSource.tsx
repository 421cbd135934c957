import { useSourceNames } from "../../sources/useSourceNames.ts"
import { SelectField } from "../../ui/forms/SelectField.tsx"

/** A select of connectors and connections by name; the empty value means all. */
export const FilterSource = (props: { readonly value: string; readonly onChange: (source: string) => void }) => (
  <SelectField {...props} label="Source" options={[["", "Everything"], ...useSourceNames()]} />
)
