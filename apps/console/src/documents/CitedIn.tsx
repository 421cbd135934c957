import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { AskedRow } from "../calls/ask/AskedRow.tsx"
import { Quote } from "../calls/ask/Quote.tsx"
import { Button } from "../ui/Button.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card, CardSkeleton } from "../ui/Page.tsx"
import { useSeen } from "../ui/useSeen.ts"
import { useCiting } from "./useCiting.ts"

/** The questions of the last 30 days whose answers cite the document. */
export const CitedIn = ({ documentId }: { readonly documentId: string }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const [card, seen] = useSeen<HTMLDivElement>()
  const { citing, questions, read } = useCiting(documentId, seen)
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage } = questions
  return (
    <div ref={card}>
      <Card flush title="Cited in answers">
        {data === undefined && (
          <NotLoaded query={questions} what="The questions cannot be shown">
            {citing.length === 0 && <CardSkeleton lines={2} />}
          </NotLoaded>
        )}
        {data !== undefined && citing.length === 0 && (
          <p className="dialog soft">
            {read === 0
              ? "Nothing was asked in the last 30 days."
              : `None of the latest ${amount(read, "question")} is answered from this document.`}
          </p>
        )}
        <ul className="rows">
          {citing.map(({ askedAt, query, quotes, search, times }) => (
            <AskedRow
              key={query}
              query={query}
              search={search}
              askedAt={askedAt}
              badge={times > 1 && <span className="small soft numeric">asked {counted(times)} times</span>}
            >
              {quotes.map(({ end, quote, start }) => (
                <div key={start} className="source">
                  <Quote text={quote} />
                  <Link
                    className="small"
                    to="/w/$workspaceId/documents/$documentId"
                    params={{ workspaceId: workspace_id, documentId }}
                    search={{ start, end }}
                  >
                    Show in the text
                  </Link>
                </div>
              ))}
            </AskedRow>
          ))}
        </ul>
        {hasNextPage && (
          <div className="result">
            <Button small busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Look through earlier questions
            </Button>
          </div>
        )}
      </Card>
    </div>
  )
}
