import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { useConnections } from "../connections/useConnections.ts"
import { Field } from "../ui/Field.tsx"
import type { Filters } from "./filters.ts"

interface Props {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
  readonly chooseSource?: boolean
  /** Filters that only some requests have. */
  readonly children?: ReactNode
}

const SourceField = ({ filters, onChange }: Props) => {
  const { client, workspace } = useWorkspace()
  const { data: connectors = [] } = useQuery({
    queryKey: [workspace.workspace_id, "connectors"],
    queryFn: ({ signal }) => client.connectors.list({ include_inactive: true }, { signal })
  })
  const { data: connections = [] } = useConnections()
  const sources = [
    ...connectors.map(({ name, source_name }) => [`custom:${source_name}`, name] as const),
    ...connections.map(({ connection_id, name, provider }) => [`${provider}:${connection_id}`, name] as const)
  ]
  return (
    <Field label="Source">
      {(control) => (
        <select
          {...control}
          value={filters.source}
          onChange={(event) => onChange({ ...filters, source: event.target.value })}
        >
          <option value="">Everything</option>
          {sources.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
        </select>
      )}
    </Field>
  )
}

export const FilterFields = ({ children, chooseSource = true, filters, onChange }: Props) => {
  const set = (field: Partial<Filters>) => onChange({ ...filters, ...field })
  return (
    <details>
      <summary>Filters</summary>
      <div className="columns choices">
        {chooseSource && <SourceField filters={filters} onChange={onChange} />}
        {children}
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
