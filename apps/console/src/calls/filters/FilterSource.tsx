import { useConnections } from "../../connections/useConnections.ts"
import { useConnectors } from "../../connectors/useConnectors.ts"
import { Field } from "../../ui/forms/Field.tsx"

/** Connectors and connections by their names; empty: everything. */
export const FilterSource = (
  { onChange, value }: { readonly value: string; readonly onChange: (source: string) => void }
) => {
  const { data: connectors = [] } = useConnectors()
  const { data: connections = [] } = useConnections()
  const sources = [
    ...connectors.map(({ name, source_name }) => [`custom:${source_name}`, name] as const),
    ...connections.map(({ connection_id, name, provider }) => [`${provider}:${connection_id}`, name] as const)
  ]
  return (
    <Field label="Source">
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">Everything</option>
          {sources.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
        </select>
      )}
    </Field>
  )
}
