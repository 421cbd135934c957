import type { SearchRequest } from "@tributary/client"
import { useState } from "react"
import { CallCode } from "./CallCode.tsx"
import { SearchForm } from "./SearchForm.tsx"
import { SearchResults } from "./SearchResults.tsx"
import { curlOf, searchProgram } from "./snippets.ts"
import { useSearch } from "./useSearch.ts"

export const SearchPanel = () => {
  const [sent, setSent] = useState<SearchRequest | null>(null)
  const found = useSearch(sent)
  return (
    <>
      <div className="card">
        <SearchForm
          label="Search for"
          hint="Searches everything that is stored, in the context or not."
          source={null}
          busy={found.isFetching}
          onSearch={setSent}
        />
      </div>
      {sent !== null && (
        <>
          <section className="card flush" aria-label="Results">
            <SearchResults found={found} />
          </section>
          <CallCode curl={curlOf("/v1/knowledge/search", sent)} program={searchProgram(sent)} />
        </>
      )}
    </>
  )
}
