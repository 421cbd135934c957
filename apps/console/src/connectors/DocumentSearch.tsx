import type { ReactNode } from "react"
import type { CallSearch } from "../calls/filters/callSearch.ts"
import { useCallDraft } from "../calls/filters/useCallDraft.ts"
import { SearchForm } from "../calls/search/SearchForm.tsx"
import { searchRequest } from "../calls/search/searchRequest.ts"
import { SearchResults } from "../calls/search/SearchResults.tsx"
import { useSearch } from "../calls/search/useSearch.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Page.tsx"

interface Props {
  /** As filters name it. */
  readonly source: string
  readonly hint: string
  readonly search: CallSearch
  readonly onSearch: (search: CallSearch) => void
  /** What is shown while nothing is searched for, and above what is found. */
  readonly children?: (words: string | null) => ReactNode
}

/** Searches the documents of one source. The page's address keeps the query and the filters. */
export const DocumentSearch = ({ children, hint, onSearch, search, source }: Props) => {
  const [draft, setDraft] = useCallDraft(search)
  const request = searchRequest(search, source)
  const found = useSearch(request)
  return (
    <Card flush title="Documents">
      <div className="dialog">
        <SearchForm
          label="Search in these documents"
          hint={hint}
          chooseSource={false}
          onStop={found.stop}
          onAgain={found.again}
          search={search}
          draft={draft}
          onDraft={setDraft}
          onSearch={onSearch}
        >
          {request !== null && <Button kind="quiet" onClick={() => onSearch({})}>Clear</Button>}
        </SearchForm>
      </div>
      {children?.(request?.q ?? null)}
      {request !== null && <SearchResults found={found} find={request.q} />}
    </Card>
  )
}
