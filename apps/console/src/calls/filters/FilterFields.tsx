import type { ReactNode } from "react"
import { Field } from "../../ui/forms/Field.tsx"
import { DayFields } from "./DayFields.tsx"
import type { CallSearch } from "./callSearch.ts"
import { FilterSource } from "./FilterSource.tsx"

interface Props {
  readonly value: CallSearch
  readonly onChange: (value: CallSearch) => void
  readonly title?: string
  /** Whether it is open at first. */
  readonly open: boolean
  readonly chooseSource?: boolean
  /** What only some requests have. */
  readonly children?: ReactNode
}

export const FilterFields = ({ children, chooseSource = true, onChange, open, title = "Filters", value }: Props) => {
  const set = (part: Partial<CallSearch>) => onChange({ ...value, ...part })
  return (
    <details open={open}>
      <summary>{title}</summary>
      <div className="columns choices">
        {chooseSource && <FilterSource value={value.source ?? ""} onChange={(source) => set({ source })} />}
        {children}
        <DayFields from={value.from} to={value.to} onChange={set} />
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
