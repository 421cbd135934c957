import type { ReactNode } from "react"
import { SearchField } from "../ui/forms/SearchField.tsx"
import { SelectField } from "../ui/forms/SelectField.tsx"
import { type ListSearch, listSearchOf } from "./listSearch.ts"
import { useAddressText } from "./useAddressText.ts"

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
  const [words, setWords] = useAddressText(search.q ?? "", (q) => set({ q }))
  return (
    <div className="card-head">
      <div className="search-row" role="search">
        <SearchField label={label} value={words} onChange={setWords} />
        {choices !== undefined && (
          <SelectField
            label={choices.label}
            hideLabel
            value={search.is ?? ""}
            onChange={(is) => set({ is })}
            options={choices.of}
          />
        )}
      </div>
      <div className="buttons">{children}</div>
    </div>
  )
}
