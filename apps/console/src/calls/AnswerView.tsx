import { Link } from "@tanstack/react-router"
import type { Citation } from "../api/models.ts"
import { Fragment } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../connections/SourceName.tsx"
import { dayOf } from "../ui/Moment.tsx"

/** Opens the document at the quote. */
const ToQuote = ({ children, entity }: { readonly entity: Citation["entity"]; readonly children: string }) => {
  const { workspace } = useWorkspace()
  return (
    <Link
      to="/w/$workspaceId/documents/$documentId"
      params={{ workspaceId: workspace.workspace_id, documentId: entity.id }}
      search={{ start: entity.start, end: entity.end }}
    >
      {children}
    </Link>
  )
}

interface Props {
  readonly text: string
  readonly citations: ReadonlyArray<Citation>
  readonly warnings: ReadonlyArray<string> | undefined
}

/** An answer whose markers lead to what they rest on. */
export const AnswerView = ({ citations, text, warnings }: Props) => {
  const byMarker = new Map(citations.map(({ entity }) => [entity.marker, entity]))
  return (
    <>
      <p className="answer">
        {text.split(/\[(\d+)\]/).map((piece, index) => {
          const entity = index % 2 === 0 ? undefined : byMarker.get(Number(piece))
          if (entity !== undefined) return <ToQuote key={index} entity={entity}>{piece}</ToQuote>
          return <Fragment key={index}>{index % 2 === 0 ? piece : `[${piece}]`}</Fragment>
        })}
      </p>
      {citations.length > 0 && (
        <ol className="stack" aria-label="Citations">
          {citations.map(({ entity }) => (
            <li key={entity.marker} className="stack">
              <div className="row-title">
                <span className="badge accent">{entity.marker}</span>
                <ToQuote entity={entity}>{entity.title ?? entity.external_id}</ToQuote>
              </div>
              <q className="quote small">{entity.quote}</q>
              <div className="facts">
                <SourceName source={entity.source} />
                <span>{dayOf(entity.timestamp)}</span>
              </div>
            </li>
          ))}
        </ol>
      )}
      {warnings?.map((warning) => <p key={warning} className="note warn">{warning}</p>)}
    </>
  )
}
