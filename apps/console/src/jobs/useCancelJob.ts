import type { AskJob } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { attempt } from "../ui/feedback/useWork.ts"
import { useChange } from "../ui/feedback/useChange.ts"

export const useCancelJob = () => {
  const { client } = useWorkspace()
  const change = useChange("jobs")
  return ({ job_id }: Pick<AskJob, "job_id">) =>
    attempt(() => change(() => client.knowledge.cancelJob(job_id), "The job is cancelled."))
}
