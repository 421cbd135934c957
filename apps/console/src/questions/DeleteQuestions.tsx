import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"

export const DeleteQuestions = ({ onClose }: { readonly onClose: () => void }) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const remove = async () => {
    await client.questions.deleteAll()
    await queries.invalidateQueries({ queryKey: [workspace_id, "questions"] })
    toast("The questions are deleted.")
  }
  return (
    <Confirm title="Delete all questions?" action="Delete all" onConfirm={remove} onClose={onClose}>
      <p>What was asked in this workspace, and how it was rated, is gone. Documents and answers of jobs stay.</p>
    </Confirm>
  )
}
