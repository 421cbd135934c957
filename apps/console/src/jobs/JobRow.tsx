import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import type { AskJob } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Moment } from "../ui/time/Moment.tsx"

const JOBS = {
  queued: ["plain", "Waiting"],
  running: ["accent", "Running"],
  succeeded: ["good", "Finished"],
  failed: ["bad", "Failed"],
  cancelled: ["plain", "Cancelled"]
} as const

export const JobBadge = ({ status }: Pick<AskJob, "status">) => {
  const [tone, word] = JOBS[status]
  return <Badge tone={tone}>{word}</Badge>
}

export const JobRow = ({ children, job }: { readonly job: AskJob; readonly children?: ReactNode }) => {
  const { workspace } = useWorkspace()
  return (
    <li>
      <div>
        <div className="row-title">
          <JobBadge status={job.status} />
          <Link
            to="/w/$workspaceId/jobs/$jobId"
            params={{ workspaceId: workspace.workspace_id, jobId: job.job_id }}
          >
            <bdi>{job.query}</bdi>
          </Link>
        </div>
        <div className="facts">
          <span>
            asked <Moment at={job.created_at} />
          </span>
          {job.attempt > 1 && <span>attempt {job.attempt}</span>}
          {job.error !== null && <span>{job.error.message}</span>}
        </div>
      </div>
      {children}
    </li>
  )
}
