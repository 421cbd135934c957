import type { SearchRequest } from "@tributary/client"
import { type FormEvent, type ReactNode, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { Icon } from "../ui/Icon.tsx"
import { FilterFields } from "./FilterFields.tsx"
import { NO_FILTERS, sentFilters } from "./filters.ts"

interface Props {
  readonly label: string
  readonly hint: string
  /** Where it searches; null lets people choose. */
  readonly source: string | null
  readonly busy: boolean
  readonly onSearch: (request: SearchRequest) => void
  /** Beside the button. */
  readonly children?: ReactNode
}

/** Words and what narrows them. */
export const SearchForm = ({ busy, children, hint, label, onSearch, source }: Props) => {
  const [q, setQ] = useState("")
  const [filters, setFilters] = useState({ ...NO_FILTERS, source: source ?? "" })
  const [inContext, setInContext] = useState("")

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (q.trim() === "") return
    onSearch({ q, ...sentFilters(filters), ...(inContext === "" ? {} : { in_context: inContext === "in" }) })
  }

  return (
    <form className="stack" onSubmit={submit} role="search">
      <div className="search-row">
        <Field label={label} hint={hint} hideLabel>
          {(control) => (
            <input
              {...control}
              type="search"
              placeholder={label}
              value={q}
              maxLength={1_000}
              onChange={(event) => setQ(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" kind="primary" busy={busy}>
          <Icon name="search" />Search
        </Button>
        {children}
      </div>
      <FilterFields filters={filters} onChange={setFilters} chooseSource={source === null}>
        <Field label="Where">
          {(control) => (
            <select {...control} value={inContext} onChange={(event) => setInContext(event.target.value)}>
              <option value="">In the context and outside</option>
              <option value="in">In the context only</option>
              <option value="out">Outside of it only</option>
            </select>
          )}
        </Field>
      </FilterFields>
    </form>
  )
}
