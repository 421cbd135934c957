import type { ReactNode } from "react"
import { Field } from "../ui/forms/Field.tsx"
import { type ListSearch, listSearchOf } from "./listSearch.ts"

interface Props {
  /** What is found, such as "Find a key". */
  readonly label: string
  readonly search: ListSearch
  readonly onSearch: (search: ListSearch) => void
  /** Values with their labels; the empty one means all. */
  readonly choices?: { readonly label: string; readonly of: ReadonlyArray<readonly [string, string]> }
  /** At the other end. */
  readonly children?: ReactNode
}

/** Filters a list while one types or chooses. */
export const ListHead = ({ children, choices, label, onSearch, search }: Props) => {
  const set = (part: ListSearch) => onSearch(listSearchOf({ ...search, ...part }))
  return (
    <div className="card-head">
      <div className="search-row" role="search">
        <Field label={label} hideLabel>
          {(control) => (
            <input
              {...control}
              type="search"
              placeholder={label}
              value={search.q ?? ""}
              onChange={({ target }) => set({ q: target.value })}
            />
          )}
        </Field>
        {choices !== undefined && (
          <Field label={choices.label} hideLabel>
            {(control) => (
              <select
                {...control}
                value={search.is ?? ""}
                onChange={({ target }) => set({ is: target.value })}
              >
                {choices.of.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
              </select>
            )}
          </Field>
        )}
      </div>
      <div className="buttons">{children}</div>
    </div>
  )
}
