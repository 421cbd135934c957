import { Link, useParams } from "@tanstack/react-router"
import type { AnsweredAskJob } from "../api/models.ts"
import { useWorkspaceQuery } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { AnswerView } from "../calls/ask/AnswerView.tsx"
import { isOpen } from "../jobs/isOpen.ts"
import { JobBadge } from "../jobs/JobRow.tsx"
import { useCancelJob } from "../jobs/useCancelJob.ts"
import { Button } from "../ui/Button.tsx"
import { Card, Page, Skeleton } from "../ui/Page.tsx"
import { PageNotLoaded } from "../ui/PageNotLoaded.tsx"
import { Moment } from "../ui/time/Moment.tsx"

const PATH = "/w/$workspaceId/jobs/$jobId"

const Outcome = ({ job }: { readonly job: AnsweredAskJob }) => {
  if (job.result !== null) {
    return <AnswerView text={job.result.response} citations={job.result.citations} answer={job.result} />
  }
  if (isOpen(job)) {
    return (
      <div className="stack">
        <p className="soft">The answer comes here once it is made.</p>
        <Skeleton />
      </div>
    )
  }
  return job.error === null
    ? <p className="soft">There is no answer.</p>
    : (
      <div className="note bad" role="alert">
        <strong>It could not be answered</strong>
        <p className="wrap-anywhere">{job.error.message}</p>
      </div>
    )
}

const Shown = ({ job }: { readonly job: AnsweredAskJob }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const cancel = useCancelJob()
  const params = { workspaceId: workspace_id }
  return (
    <Page
      title={job.query}
      lead={
        <span className="facts">
          <JobBadge status={job.status} />
          <span>
            asked <Moment at={job.created_at} />
          </span>
          {job.attempt > 1 && <span>attempt {job.attempt}</span>}
          <span className="mono">{job.job_id}</span>
        </span>
      }
      actions={
        <>
          {isOpen(job) && <Button kind="quiet bad" onClick={() => cancel(job)}>Cancel</Button>}
          <Link className="button" to="/w/$workspaceId/playground" params={params} search={{ q: job.query }}>
            Ask again
          </Link>
          <Link className="button" to="/w/$workspaceId/jobs" params={params}>All jobs</Link>
        </>
      }
    >
      <Card title="Answer">
        <Outcome job={job} />
      </Card>
    </Page>
  )
}

export const JobPage = () => {
  const { jobId } = useParams({ from: PATH })
  const job = useWorkspaceQuery(
    ["jobs", "one", jobId],
    ({ client, signal }) => client.knowledge.job(jobId, { signal }),
    { refetchInterval: ({ state: { data } }) => data !== undefined && isOpen(data) ? 1_000 : false }
  )
  return job.data === undefined
    ? <PageNotLoaded title="Ask job" query={job} what="The job cannot be shown" />
    : <Shown job={job.data} />
}
