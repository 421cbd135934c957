import { useQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"
import { Field } from "../ui/Field.tsx"
import type { Filters } from "./filters.ts"

interface Props {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

export const FilterFields = ({ filters, onChange }: Props) => {
  const { client, workspace } = useWorkspace()
  const { data = [] } = useQuery({
    queryKey: [workspace.workspace_id, "connectors"],
    queryFn: ({ signal }) => client.connectors.list({ include_inactive: true }, { signal })
  })
  const set = (field: Partial<Filters>) => onChange({ ...filters, ...field })
  return (
    <details>
      <summary>Filters</summary>
      <div className="columns choices">
        <Field label="Source">
          {(control) => (
            <select
              {...control}
              value={filters.source}
              onChange={(event) => set({ source: event.target.value })}
            >
              <option value="">Everything</option>
              {data.map(({ connector_id, name, source_name }) => (
                <option key={connector_id} value={`custom:${source_name}`}>{name}</option>
              ))}
            </select>
          )}
        </Field>
        <Field label="From">
          {(control) => (
            <input
              {...control}
              type="date"
              value={filters.from}
              onChange={(event) => set({ from: event.target.value })}
            />
          )}
        </Field>
        <Field label="Up to and including">
          {(control) => (
            <input
              {...control}
              type="date"
              value={filters.to}
              onChange={(event) => set({ to: event.target.value })}
            />
          )}
        </Field>
        <Field label="Metadata" hint="One key=value in a line; all must match.">
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={filters.metadata}
              onChange={(event) => set({ metadata: event.target.value })}
            />
          )}
        </Field>
      </div>
    </details>
  )
}
