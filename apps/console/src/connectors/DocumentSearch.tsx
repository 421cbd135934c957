import type { SearchRequest } from "@tributary/client"
import { type ReactNode, useState } from "react"
import { SearchForm } from "../calls/SearchForm.tsx"
import { SearchResults } from "../calls/SearchResults.tsx"
import { useSearch } from "../calls/useSearch.ts"
import { Button } from "../ui/Button.tsx"
import { Card } from "../ui/Page.tsx"

interface Props {
  /** As filters name it. */
  readonly source: string
  readonly hint: string
  /** What is shown while nothing is searched for, and above what is found. */
  readonly children?: (words: string | null) => ReactNode
}

/** The documents of one source: searched by words and filters. */
export const DocumentSearch = ({ children, hint, source }: Props) => {
  const [sent, setSent] = useState<SearchRequest | null>(null)
  // Emptied by being made anew.
  const [round, setRound] = useState(0)
  const found = useSearch(sent)
  const clear = () => {
    setSent(null)
    setRound(round + 1)
  }
  return (
    <Card flush title="Documents">
      <div className="dialog">
        <SearchForm
          key={round}
          label="Search in these documents"
          hint={hint}
          source={source}
          busy={found.isFetching}
          onSearch={setSent}
        >
          {sent !== null && <Button kind="quiet" onClick={clear}>Clear</Button>}
        </SearchForm>
      </div>
      {children?.(sent?.q ?? null)}
      {sent !== null && <SearchResults found={found} />}
    </Card>
  )
}
