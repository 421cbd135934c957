import type { FormEvent, ReactNode } from "react"
import { Button } from "../../ui/Button.tsx"
import { SearchField } from "../../ui/forms/SearchField.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { type CallSearch, callSearchOf, hasFilters } from "../filters/callSearch.ts"
import { FilterFields } from "../filters/FilterFields.tsx"
import { WhereField } from "../filters/WhereField.tsx"
import { useCallDraft } from "../filters/useCallDraft.ts"

interface Props {
  readonly label: string
  readonly hint: string
  /** False on the page of a single source. */
  readonly chooseSource: boolean
  /** Null when there is nothing to stop. */
  readonly onStop: (() => void) | null
  /** As the address of the page has it. */
  readonly search: CallSearch
  readonly onSearch: (search: CallSearch) => void
  /** Beside the button. */
  readonly children?: ReactNode
}

/** Words and what narrows them. */
export const SearchForm = ({ children, chooseSource, hint, label, onSearch, onStop, search }: Props) => {
  const [draft, setDraft] = useCallDraft(search)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if ((draft.q ?? "").trim() !== "") onSearch(callSearchOf({ ...draft }))
  }
  return (
    <form className="stack" onSubmit={submit} role="search">
      <div className="search-row">
        <SearchField label={label} hint={hint} value={draft.q ?? ""} onChange={(q) => setDraft({ ...draft, q })} />
        <Button type="submit" kind="primary">
          <Icon name="search" />Search
        </Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        {children}
      </div>
      <FilterFields value={draft} onChange={setDraft} open={hasFilters(search)} chooseSource={chooseSource}>
        <WhereField value={draft.where} onChange={(where) => setDraft(callSearchOf({ ...draft, where }))} />
      </FilterFields>
    </form>
  )
}
