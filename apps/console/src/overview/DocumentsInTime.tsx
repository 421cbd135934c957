import { Link } from "@tanstack/react-router"
import { Suspense, useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { page } from "../shell/page.ts"
import { Timeline } from "../timeline/Timeline.tsx"
import { useSettings } from "../timeline/useContextState.ts"
import { useTimeline } from "../timeline/useTimeline.ts"
import { Button } from "../ui/Button.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Empty, Skeleton } from "../ui/Page.tsx"

const FirstFiles = page(() => import("../uploads/FirstFiles.tsx"), "FirstFiles")

const CreateConnector = page(() => import("../connectors/CreateConnector.tsx"), "CreateConnector")

const NothingStored = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const [creating, setCreating] = useState(false)
  return (
    <Empty icon="connectors" title="Nothing is stored yet">
      <p>
        Drop a few files, push documents through a connector, or connect a source. A moment later you can ask questions
        about them.
      </p>
      <Suspense fallback={<Skeleton />}>
        <FirstFiles />
      </Suspense>
      <div className="buttons">
        <Button onClick={() => setCreating(true)}>Create a connector</Button>
        <Link className="button" to="/w/$workspaceId/connections/new" params={{ workspaceId }}>Connect a source</Link>
      </div>
      {creating && (
        <Suspense>
          <CreateConnector onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </Empty>
  )
}

export const DocumentsInTime = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const settings = useSettings()
  const range = settings.data?.temporal_settings
  const timeline = useTimeline(range)
  return (
    <Card
      title="Documents in time"
      aside={<Link to="/w/$workspaceId/knowledge" params={{ workspaceId }}>Change the range</Link>}
    >
      {timeline.data === undefined || range === undefined
        ? <NotLoaded query={range === undefined ? settings : timeline} what="The timeline cannot be shown" lines={8} />
        : timeline.data.total === 0
        ? <NothingStored />
        : <Timeline counts={timeline.data} range={range} />}
    </Card>
  )
}
