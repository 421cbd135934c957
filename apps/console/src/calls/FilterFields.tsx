import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { useConnections } from "../connections/useConnections.ts"
import { Field } from "../ui/Field.tsx"
import type { CallSearch } from "./callSearch.ts"

interface Props {
  readonly value: CallSearch
  readonly onChange: (value: CallSearch) => void
  /** At first; people open and close it. */
  readonly open: boolean
  readonly chooseSource?: boolean
  /** Filters that only some requests have. */
  readonly children?: ReactNode
}

const SourceField = ({ onChange, value }: Pick<Props, "onChange" | "value">) => {
  const { client, workspace } = useWorkspace()
  const { data: connectors = [] } = useQuery({
    queryKey: [workspace.workspace_id, "connectors"],
    queryFn: ({ signal }) => client.connectors.list({ signal })
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
          value={value.source ?? ""}
          onChange={(event) => onChange({ ...value, source: event.target.value })}
        >
          <option value="">Everything</option>
          {sources.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
        </select>
      )}
    </Field>
  )
}

export const FilterFields = ({ children, chooseSource = true, onChange, open, value }: Props) => {
  const set = (part: Partial<CallSearch>) => onChange({ ...value, ...part })
  return (
    <details open={open}>
      <summary>Filters</summary>
      <div className="columns choices">
        {chooseSource && <SourceField value={value} onChange={onChange} />}
        {children}
        <Field label="From">
          {(control) => (
            <input
              {...control}
              type="date"
              value={value.from ?? ""}
              onChange={(event) => set({ from: event.target.value })}
            />
          )}
        </Field>
        <Field label="Up to and including">
          {(control) => (
            <input
              {...control}
              type="date"
              value={value.to ?? ""}
              onChange={(event) => set({ to: event.target.value })}
            />
          )}
        </Field>
        <Field label="Metadata" hint="One key=value in a line; all must match.">
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={value.metadata ?? ""}
              onChange={(event) => set({ metadata: event.target.value })}
            />
          )}
        </Field>
      </div>
    </details>
  )
}
