import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import type { AskJobStatus } from "../api/models.ts"
import { perPage, useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { useCancelJob } from "../jobs/useCancelJob.ts"
import { isOpen } from "../jobs/isOpen.ts"
import { JobRow } from "../jobs/JobRow.tsx"
import { Button } from "../ui/Button.tsx"
import { ShowMore } from "../ui/ShowMore.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { SelectField } from "../ui/forms/SelectField.tsx"
import { Card, Empty, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/jobs"

const CHOICES: ReadonlyArray<readonly [AskJobStatus | "", string]> = [
  ["", "All"],
  ["queued", "Waiting"],
  ["running", "Running"],
  ["succeeded", "Finished"],
  ["failed", "Failed"],
  ["cancelled", "Cancelled"]
]

export const Jobs = () => {
  const { workspace } = useWorkspace()
  const { status = "" } = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const setStatus = (status: AskJobStatus | "") => void navigate({ search: status === "" ? {} : { status } })
  const listed = useWorkspacePages(
    ["jobs", status],
    ({ client, cursor, signal }) =>
      client.knowledge.jobs({ cursor, limit: 20, ...(status === "" ? {} : { status }) }, { signal }),
    {
      refetchInterval: (query) => {
        const isAnyOpen = query.state.data?.pages.some(({ items }) => items.some(isOpen)) === true
        return perPage(isAnyOpen ? 1_000 : 10_000)(query)
      }
    }
  )
  const { data } = listed
  const jobs = data?.pages.flatMap(({ items }) => items)
  const cancel = useCancelJob()

  return (
    <Page
      title="Ask jobs"
      lead="Questions that are answered in the background. They survive restarts, and their answers are kept for 30 days."
    >
      <Card
        flush
        title="Jobs"
        aside={<SelectField label="State" hideLabel value={status} onChange={setStatus} options={CHOICES} />}
      >
        {jobs === undefined && <NotLoaded flush query={listed} what="The jobs cannot be shown" />}
        {jobs?.length === 0 && (
          <Empty icon="jobs" title={status === "" ? "No jobs yet" : "No such jobs"}>
            <p>
              Ask a question as a job when nobody waits for the answer: it is worked off in the background, and tried
              again when the server restarts.
            </p>
            <Link
              className="button"
              to="/w/$workspaceId/playground"
              params={{ workspaceId: workspace.workspace_id }}
            >
              Ask one in the playground
            </Link>
          </Empty>
        )}
        <ul className="rows">
          {jobs?.map((job) => (
            <JobRow key={job.job_id} job={job}>
              {isOpen(job) && (
                <Button
                  small
                  kind="quiet bad"
                  onClick={() => cancel(job)}
                  aria-label={`Cancel ${job.query}`}
                >
                  Cancel
                </Button>
              )}
            </JobRow>
          ))}
        </ul>
        <ShowMore list={listed} />
      </Card>
    </Page>
  )
}
