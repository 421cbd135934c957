import { useEffect, useState } from "react"
import { DayFields } from "../calls/filters/DayFields.tsx"
import { FilterSource } from "../calls/filters/FilterSource.tsx"
import { WhereField } from "../calls/filters/WhereField.tsx"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/forms/Field.tsx"
import { useSettled } from "../ui/time/useSettled.ts"
import { type DocumentSearch, documentSearchOf } from "./documentSearch.ts"

const SORTS = [
  ["-timestamp", "Newest first"],
  ["timestamp", "Oldest first"],
  ["-updated_at", "Changed last"],
  ["updated_at", "Changed first"],
  ["title", "Title"],
  ["-title", "Title, from the end"],
  ["-size", "Largest first"],
  ["size", "Smallest first"]
] as const

/** Milliseconds after the last key. */
const TYPED = 250

interface Props {
  readonly search: DocumentSearch
  readonly onSearch: (search: DocumentSearch) => void
}

/** Filters apply immediately. */
export const DocumentFilters = ({ onSearch, search }: Props) => {
  const [words, setWords] = useState(search.q ?? "")
  const typed = useSettled(words, TYPED)
  const set = (part: Readonly<Record<string, string>>) => onSearch(documentSearchOf({ ...search, ...part }))
  useEffect(() => {
    if (typed !== (search.q ?? "")) set({ q: typed })
  }, [typed])
  // Back, or a filter that was cleared.
  useEffect(() => setWords((words) => words.trim() === (search.q ?? "").trim() ? words : search.q ?? ""), [search.q])
  return (
    <div className="dialog" role="search">
      <Field label="Find by title or id" hideLabel>
        {(control) => (
          <input
            {...control}
            type="search"
            placeholder="Find by title or id"
            value={words}
            maxLength={1_000}
            onChange={({ target }) => setWords(target.value)}
          />
        )}
      </Field>
      <div className="filters">
        <FilterSource value={search.source ?? ""} onChange={(source) => set({ source })} />
        <WhereField value={search.where} onChange={(where) => set({ where })} />
        <DayFields from={search.from} to={search.to} onChange={set} />
        <Field label="Sorted by">
          {(control) => (
            <select
              {...control}
              value={search.sort ?? "-timestamp"}
              onChange={({ target }) => set({ sort: target.value })}
            >
              {SORTS.map(([value, label]) => <option key={value} value={value}>{label}</option>)}
            </select>
          )}
        </Field>
        {Object.keys(search).some((name) => name !== "sort") && (
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
