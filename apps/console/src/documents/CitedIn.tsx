import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { ownerOf, useAnswerHistory } from "../calls/ask/answerHistory.ts"
import { Card } from "../ui/Page.tsx"
import { Moment } from "../ui/time/Moment.tsx"

/** The answers that this browser keeps and that quote the document. */
export const CitedIn = ({ documentId }: { readonly documentId: string }) => {
  const { me, workspace } = useWorkspace()
  const citing = useAnswerHistory(ownerOf(me, workspace)).flatMap(({ answer, askedAt, search }) => {
    const quotes = answer.citations.map(({ entity }) => entity).filter(({ id }) => id === documentId)
    return quotes.length === 0 ? [] : [{ askedAt, quotes, search }]
  })
  if (citing.length === 0) return null
  return (
    <Card flush title="Cited in your answers">
      <ul className="rows">
        {citing.map(({ askedAt, quotes, search }) => (
          <li key={askedAt}>
            <div>
              <div className="row-title">
                <Link to="/w/$workspaceId/playground" params={{ workspaceId: workspace.workspace_id }} search={search}>
                  <bdi>{search.q}</bdi>
                </Link>
              </div>
              {quotes.map(({ end, quote, start }) => (
                <p key={start} className="quote small" dir="auto">
                  <Link
                    to="/w/$workspaceId/documents/$documentId"
                    params={{ workspaceId: workspace.workspace_id, documentId }}
                    search={{ start, end }}
                  >
                    {quote}
                  </Link>
                </p>
              ))}
            </div>
            <span className="small soft">
              <Moment at={askedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
