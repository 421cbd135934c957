import { Link } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { useLatestJobs } from "./useLatestJobs.ts"

/** The newest of the latest jobs that failed. */
export const FailedJob = () => {
  const { workspace: { workspace_id: workspaceId } } = useWorkspace()
  const { data = [] } = useLatestJobs()
  const failed = data.find(({ status }) => status === "failed")
  if (failed === undefined) return null
  return (
    <div className="note bad" role="status">
      <strong>A question could not be answered</strong>
      <p className="wrap-anywhere">
        <bdi>{failed.query}</bdi>: {failed.error?.message}
      </p>
      <Link to="/w/$workspaceId/jobs/$jobId" params={{ workspaceId, jobId: failed.job_id }}>Look at it</Link>
    </div>
  )
}
