import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { JobRow } from "../jobs/JobRow.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Card, Empty } from "../ui/Page.tsx"
import { useLatestJobs } from "./useLatestJobs.ts"

export const LatestJobs = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const jobs = useLatestJobs()
  return (
    <Card
      title="Latest ask jobs"
      flush
      aside={<Link to="/w/$workspaceId/jobs" params={{ workspaceId }}>All jobs</Link>}
    >
      {jobs.data === undefined && <NotLoaded flush query={jobs} what="The jobs cannot be shown" />}
      {jobs.data?.length === 0 && (
        <Empty icon="jobs" title="No jobs yet">
          <p>A question asked as a job is answered in the background, and its answer is kept for 30 days.</p>
        </Empty>
      )}
      <ul className="rows">{jobs.data?.map((job) => <JobRow key={job.job_id} job={job} />)}</ul>
    </Card>
  )
}
