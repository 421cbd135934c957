import type { CallSearch } from "../filters/callSearch.ts"
import { CallCode } from "../code/CallCode.tsx"
import { SearchForm } from "./SearchForm.tsx"
import { searchRequest } from "./searchRequest.ts"
import { SearchResults } from "./SearchResults.tsx"
import { useSearch } from "./useSearch.ts"

interface Props {
  readonly search: CallSearch
  readonly draft: CallSearch
  readonly onDraft: (draft: CallSearch) => void
  readonly onSearch: (search: CallSearch) => void
}

export const SearchPanel = ({ draft, onDraft, onSearch, search }: Props) => {
  const request = searchRequest(search)
  const found = useSearch(request)
  return (
    <>
      <div className="card">
        <SearchForm
          label="Search for"
          hint="Searches everything that is stored, in the context or not."
          chooseSource
          onStop={found.stop}
          onAgain={found.again}
          search={search}
          draft={draft}
          onDraft={onDraft}
          onSearch={onSearch}
        />
      </div>
      {request !== null && (
        <>
          <section className="card flush" aria-label="Results">
            <SearchResults found={found} find={request.q} />
          </section>
          <CallCode call={{ operation: "search", body: request }} />
        </>
      )}
    </>
  )
}
