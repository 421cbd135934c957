import { Link } from "@tanstack/react-router"
import type { WorkspaceEvent } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../sources/SourceName.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Moment } from "../ui/time/Moment.tsx"

const EVENTS = {
  "document.created": ["good", "Created"],
  "document.updated": ["accent", "Updated"],
  "document.deleted": ["bad", "Deleted"]
} as const

export const EventRow = ({ event }: { readonly event: WorkspaceEvent }) => {
  const { workspace } = useWorkspace()
  const [tone, word] = EVENTS[event.type]
  const params = { workspaceId: workspace.workspace_id, documentId: event.document_id }
  const name = <bdi>{event.external_id}</bdi>
  return (
    <li>
      <div>
        <div className="row-title">
          <Badge tone={tone}>{word}</Badge>
          {event.type === "document.deleted"
            ? name
            : <Link to="/w/$workspaceId/documents/$documentId" params={params}>{name}</Link>}
        </div>
        <div className="facts">
          <SourceName source={event.source} />
          <span>{event.kind}</span>
        </div>
      </div>
      <span className="small soft">
        <Moment at={event.created_at} />
      </span>
    </li>
  )
}
