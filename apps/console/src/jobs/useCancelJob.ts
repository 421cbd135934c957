import type { AskJob } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { attempt } from "../ui/feedback/useWork.ts"

export const useCancelJob = () => {
  const { client, workspace } = useWorkspace()
  return ({ job_id }: Pick<AskJob, "job_id">) =>
    attempt(async () => {
      await client.knowledge.cancelJob(job_id)
      await queries.invalidateQueries({ queryKey: [workspace.workspace_id, "jobs"] })
      toast("The job is cancelled.")
    })
}
