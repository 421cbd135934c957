import { useNavigate, useParams, useSearch } from "@tanstack/react-router"
import { AskPanel } from "../calls/ask/AskPanel.tsx"
import type { CallSearch } from "../calls/filters/callSearch.ts"
import { SearchPanel } from "../calls/search/SearchPanel.tsx"
import { Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/playground"

export const Playground = () => {
  const { workspaceId } = useParams({ from: PATH })
  const { mode, ...search } = useSearch({ from: PATH })
  const navigate = useNavigate()
  const to = { to: PATH, params: { workspaceId } } as const
  const isAsk = mode === undefined
  const onSearch = (search: CallSearch) => void navigate({ ...to, search: isAsk ? search : { ...search, mode } })
  return (
    <Page
      title="Playground"
      lead="Ask and search as your programs do, and copy the call. Requests count against the same limits."
      actions={
        <div className="tabs" role="group" aria-label="What to try">
          <button type="button" aria-pressed={isAsk} onClick={() => void navigate({ ...to, search })}>Ask</button>
          <button
            type="button"
            aria-pressed={!isAsk}
            onClick={() => void navigate({ ...to, search: { ...search, mode: "search" } })}
          >
            Search
          </button>
        </div>
      }
    >
      {isAsk ? <AskPanel search={search} onSearch={onSearch} /> : <SearchPanel search={search} onSearch={onSearch} />}
    </Page>
  )
}
