import { EventRow } from "../calls/rows.tsx"
import { useLiveEvents } from "../calls/useLiveEvents.ts"
import { Badge } from "../ui/Badge.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"

const SHOWN = 200

export const Events = () => {
  const { connected, events } = useLiveEvents(SHOWN)
  return (
    <Page
      title="Events"
      lead="What is ingested, changed and deleted in this workspace, as it happens. The service keeps events for 90 days."
    >
      <Card
        flush
        title="Live"
        aside={
          <span role="status">
            <Badge tone={connected ? "good" : "warn"}>{connected ? "Following" : "Connecting again…"}</Badge>
          </span>
        }
      >
        {events === undefined
          ? <CardSkeleton lines={6} />
          : events.length === 0
          ? (
            <Empty icon="events" title="No events yet">
              <p>Push a document, or upload a file to a connector, and watch it come in here.</p>
            </Empty>
          )
          : <ul className="rows">{events.map((event) => <EventRow key={event.event_id} event={event} />)}</ul>}
      </Card>
      <CodeBlock
        title="Follow them from your own program"
        code={`curl -N ${location.origin}/v1/runtime/events \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Accept: text/event-stream"`}
      />
    </Page>
  )
}
