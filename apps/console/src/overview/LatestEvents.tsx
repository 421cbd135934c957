import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { EventRow } from "../events/EventRow.tsx"
import { useLiveEvents } from "../events/useLiveEvents.ts"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Empty } from "../ui/Page.tsx"

export const LatestEvents = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const { events, latest } = useLiveEvents(5)
  return (
    <Card
      title="Latest events"
      flush
      aside={<Link to="/w/$workspaceId/events" params={{ workspaceId }}>All events</Link>}
    >
      {events === undefined && <NotLoaded flush query={latest} what="The events cannot be shown" />}
      {events?.length === 0 && (
        <Empty icon="events" title="Quiet so far">
          <p>Whatever is ingested and deleted shows up here at once.</p>
        </Empty>
      )}
      <ul className="rows">{events?.map((event) => <EventRow key={event.event_id} event={event} />)}</ul>
    </Card>
  )
}
