import { Link } from "@tanstack/react-router"
import type { Citation } from "../../api/models.ts"
import { useWorkspace } from "../../api/workspace.tsx"
import { documentName } from "../../documents/documentName.ts"
import { SourceName } from "../../sources/SourceName.tsx"
import { Quote } from "./Quote.tsx"
import { dayOf } from "../../ui/time/Moment.tsx"

interface Props {
  readonly citation: Citation
  /** False if the quote is shown beside it word for word. */
  readonly withQuote: boolean
}

/** Where something was said; opens the document at the quote. */
export const Source = ({ citation: { entity }, withQuote }: Props) => {
  const { workspace } = useWorkspace()
  return (
    <div className="source">
      <div className="row-title">
        {entity.marker !== null && <span className="badge accent">{entity.marker}</span>}
        <Link
          to="/w/$workspaceId/documents/$documentId"
          params={{ workspaceId: workspace.workspace_id, documentId: entity.id }}
          search={{ start: entity.start, end: entity.end }}
          preload={false}
        >
          <bdi>{documentName(entity)}</bdi>
        </Link>
      </div>
      {withQuote && <Quote text={entity.quote} />}
      <div className="facts">
        <SourceName source={entity.source} />
        <span>{dayOf(entity.timestamp)}</span>
      </div>
    </div>
  )
}
