import { useNavigate, useSearch } from "@tanstack/react-router"
import { SERVER } from "../api/server.ts"
import { EventRow } from "../events/EventRow.tsx"
import { useLiveEvents } from "../events/useLiveEvents.ts"
import { ExportButtons } from "../lists/ExportButtons.tsx"
import { ListHead } from "../lists/ListHead.tsx"
import { hasWords, type ListSearch } from "../lists/listSearch.ts"
import { Badge } from "../ui/Badge.tsx"
import { CodeBlock } from "../ui/CodeBlock.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Empty, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/events"

const SHOWN = 200

const TYPES = {
  label: "What happened",
  of: [
    ["", "Everything"],
    ["document.created", "Creations"],
    ["document.updated", "Updates"],
    ["document.deleted", "Deletions"]
  ]
} as const

export const Events = () => {
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const { connected, events, latest } = useLiveEvents(SHOWN)
  const listed = events?.filter(({ external_id, kind, source, type }) =>
    (search.is === undefined || search.is === type) && hasWords(search, external_id, source, kind)
  )
  const onSearch = (search: ListSearch) => void navigate({ search, replace: true })
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
        {events !== undefined && events.length > 0 && (
          <ListHead label="Find an event" search={search} onSearch={onSearch} choices={TYPES}>
            <ExportButtons
              name="events"
              rows={() =>
                (listed ?? []).map(({ created_at, document_id, event_id, external_id, kind, source, type }) => ({
                  event_id,
                  created_at,
                  type,
                  document_id,
                  external_id,
                  source,
                  kind
                }))}
            />
          </ListHead>
        )}
        {listed === undefined
          ? <NotLoaded flush query={latest} what="The events cannot be shown" lines={6} />
          : events?.length === 0
          ? (
            <Empty icon="events" title="No events yet">
              <p>Push a document, or upload a file to a connector, and watch it come in here.</p>
            </Empty>
          )
          : listed.length === 0
          ? (
            <Empty icon="search" title="No event matches">
              <p>This looks at the latest {SHOWN}, and at each one that comes.</p>
            </Empty>
          )
          : <ul className="rows">{listed.map((event) => <EventRow key={event.event_id} event={event} />)}</ul>}
      </Card>
      <CodeBlock
        title="Follow them from your own program"
        code={`curl -N ${SERVER}/v1/runtime/events \\\n  -H "Authorization: Bearer $KEY" \\\n  -H "Accept: text/event-stream"`}
      />
    </Page>
  )
}
