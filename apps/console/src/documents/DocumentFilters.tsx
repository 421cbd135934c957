import { useId, useState } from "react"
import { DayFields } from "../calls/filters/DayFields.tsx"
import { FilterSource } from "../calls/filters/FilterSource.tsx"
import { WhereField } from "../calls/filters/WhereField.tsx"
import { useAddressText } from "../lists/useAddressText.ts"
import { Button } from "../ui/Button.tsx"
import { SearchField } from "../ui/forms/SearchField.tsx"
import { SelectField } from "../ui/forms/SelectField.tsx"
import { countFilters, type DocumentSearch, documentSearchOf, isFiltered, NEWEST_FIRST } from "./documentSearch.ts"

const SORTS = [
  [NEWEST_FIRST, "Newest first"],
  ["timestamp", "Oldest first"],
  ["-updated_at", "Changed last"],
  ["updated_at", "Changed first"],
  ["title", "Title"],
  ["-title", "Title, from the end"],
  ["-size", "Largest first"],
  ["size", "Smallest first"]
] as const

interface Props {
  readonly search: DocumentSearch
  readonly onSearch: (search: DocumentSearch) => void
}

/** Filters apply immediately. On a phone all but the words are folded, because they would fill the screen. */
export const DocumentFilters = ({ onSearch, search }: Props) => {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const count = countFilters(search)
  const set = (part: Readonly<Record<string, string>>) => onSearch(documentSearchOf({ ...search, ...part }))
  const [words, setWords] = useAddressText(search.q ?? "", (q) => set({ q }))
  return (
    <div className="dialog" role="search">
      <SearchField label="Find by title or id" value={words} onChange={setWords} />
      <Button className="unfold" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {count === 0 ? "Filters" : `Filters (${count})`}
      </Button>
      <div className="filters" id={id} data-open={isOpen}>
        <FilterSource value={search.source ?? ""} onChange={(source) => set({ source })} />
        <WhereField value={search.where} onChange={(where) => set({ where })} />
        <DayFields from={search.from} to={search.to} onChange={set} />
        <SelectField
          label="Sorted by"
          value={search.sort ?? NEWEST_FIRST}
          onChange={(sort) => set({ sort })}
          options={SORTS}
        />
        {isFiltered(search) && (
          <Button
            kind="quiet"
            onClick={() => onSearch(search.sort === undefined ? {} : { sort: search.sort })}
          >
            Clear filters
          </Button>
        )}
      </div>
    </div>
  )
}
