import { useWorkspace } from "../api/workspace.tsx"
import { HeldOverview } from "../connections/HeldOverview.tsx"
import { BrokenConnections } from "../overview/BrokenConnections.tsx"
import { DocumentsInTime } from "../overview/DocumentsInTime.tsx"
import { ExpiringKeys } from "../overview/ExpiringKeys.tsx"
import { FailedJob } from "../overview/FailedJob.tsx"
import { LatestEvents } from "../overview/LatestEvents.tsx"
import { LatestJobs } from "../overview/LatestJobs.tsx"
import { RateLimits } from "../overview/RateLimits.tsx"
import { StorageUsed } from "../overview/StorageUsed.tsx"
import { CurrentState } from "../timeline/CurrentState.tsx"
import { Card, Page } from "../ui/Page.tsx"

export const Overview = () => (
  <Page
    title={useWorkspace().workspace.name}
    lead="What is stored, what of it is in the knowledge context, and how much room is left."
  >
    <BrokenConnections />
    <HeldOverview />
    <ExpiringKeys />
    <DocumentsInTime />
    <div className="grid">
      <StorageUsed />
      <Card title="Knowledge context">
        <CurrentState />
      </Card>
      <RateLimits />
    </div>
    <FailedJob />
    <div className="grid">
      <LatestEvents />
      <LatestJobs />
    </div>
  </Page>
)
