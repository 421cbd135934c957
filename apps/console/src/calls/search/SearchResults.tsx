import { Link } from "@tanstack/react-router"
import type { SearchResult } from "../../api/models.ts"
import { useWorkspace } from "../../api/workspace.tsx"
import { documentName } from "../../documents/documentName.ts"
import { SourceName } from "../../sources/SourceName.tsx"
import { Badge } from "../../ui/Badge.tsx"
import { Button } from "../../ui/Button.tsx"
import { ShowMore } from "../../ui/ShowMore.tsx"
import { NotLoaded } from "../../ui/feedback/NotLoaded.tsx"
import { Warnings } from "../../ui/feedback/Warnings.tsx"
import { dayOf } from "../../ui/time/Moment.tsx"
import { CardSkeleton, Empty } from "../../ui/Page.tsx"
import { Marked } from "../../text/Marked.tsx"
import type { SearchState } from "./useSearch.ts"

const Result = ({ find, result }: { readonly result: SearchResult; readonly find: string }) => {
  const { workspace } = useWorkspace()
  return (
    <li className="result">
      <div className="row-title">
        <Link
          to="/w/$workspaceId/documents/$documentId"
          params={{ workspaceId: workspace.workspace_id, documentId: result.id }}
          search={{ find }}
        >
          <bdi>{documentName(result)}</bdi>
        </Link>
        <Badge tone={result.in_context ? "accent" : "plain"}>
          {result.in_context ? "In the context" : "Outside the context"}
        </Badge>
      </div>
      <p className="wrap-anywhere" dir="auto">
        <Marked text={result.snippet} stretches={result.highlights} />
      </p>
      <div className="facts">
        <SourceName source={result.source} />
        <span>{dayOf(result.timestamp)}</span>
        <span className="numeric">score {result.score.toFixed(2)}</span>
      </div>
    </li>
  )
}

/** Search results as the rows of a card, or a skeleton while they load. */
export const SearchResults = ({ find, found }: { readonly found: SearchState; readonly find: string }) => {
  if (found.data === undefined) {
    return (
      <NotLoaded query={found} what="The search failed">
        {found.isFetching ? <CardSkeleton /> : (
          <div className="note" role="status">
            <p>It was stopped before anything was found.</p>
            <div className="buttons">
              <Button small onClick={() => void found.refetch()}>Search again</Button>
            </div>
          </div>
        )}
      </NotLoaded>
    )
  }
  const { pages } = found.data
  const results = pages.flatMap(({ results }) => results)
  return (
    <>
      <div className="card-head">
        <h2>Results</h2>
        <span className="soft small" role="status">
          {results.length === 0 ? "Nothing found" : `${results.length} shown`}
        </span>
      </div>
      <Warnings warnings={pages[0]?.warnings} />
      {results.length === 0
        ? (
          <Empty icon="search" title="Nothing matches">
            <p>Try fewer or other words, or fewer filters.</p>
          </Empty>
        )
        : <ol>{results.map((result) => <Result key={result.id} result={result} find={find} />)}</ol>}
      <ShowMore list={found} />
    </>
  )
}
