import { type FormEvent, type ReactNode, useState } from "react"
import { Button } from "../../ui/Button.tsx"
import { SearchField } from "../../ui/forms/SearchField.tsx"
import { Icon } from "../../ui/Icon.tsx"
import { type CallSearch, callSearchOf, hasFilters, keyOf } from "../filters/callSearch.ts"
import { FilterFields } from "../filters/FilterFields.tsx"
import { WhereField } from "../filters/WhereField.tsx"

interface Props {
  readonly label: string
  readonly hint: string
  /** False on the page of a single source. */
  readonly chooseSource: boolean
  /** Null when there is nothing to stop. */
  readonly onStop: (() => void) | null
  /** As the address of the page has it. */
  readonly search: CallSearch
  readonly draft: CallSearch
  readonly onDraft: (draft: CallSearch) => void
  readonly onSearch: (search: CallSearch) => void
  /** The search that the address has already. */
  readonly onAgain: () => void
  /** Beside the button. */
  readonly children?: ReactNode
}

/** Words and what narrows them. */
export const SearchForm = (
  { chooseSource, children, draft, hint, label, onAgain, onDraft, onSearch, onStop, search }: Props
) => {
  const [isTried, setTried] = useState(false)
  const [hadFilters] = useState(hasFilters(draft))
  const { q: words = "" } = draft
  const isBlank = words.trim() === ""
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(isBlank)
    if (!isBlank) return keyOf(draft) === keyOf(search) ? onAgain() : onSearch(callSearchOf({ ...draft }))
    if (search.q !== undefined) onSearch({})
    else event.currentTarget.querySelector("input")?.focus()
  }
  return (
    <form className="stack" onSubmit={submit} role="search">
      <div className="search-row">
        <SearchField
          label={label}
          hint={hint}
          fault={isTried && isBlank && search.q === undefined ? "Write what to search for." : null}
          value={words}
          onChange={(q) => onDraft({ ...draft, q })}
        />
        <Button type="submit" kind="primary">
          <Icon name="search" />Search
        </Button>
        {onStop !== null && <Button onClick={onStop}>Stop</Button>}
        {children}
      </div>
      <FilterFields
        value={draft}
        onChange={onDraft}
        open={hasFilters(search) || hadFilters}
        chooseSource={chooseSource}
      >
        <WhereField value={draft.where} onChange={(where) => onDraft(callSearchOf({ ...draft, where }))} />
      </FilterFields>
    </form>
  )
}
