import { useWorkspace } from "../api/workspace.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { useChange } from "../ui/feedback/useChange.ts"

export const DeleteQuestions = ({ onClose }: { readonly onClose: () => void }) => {
  const { client } = useWorkspace()
  const change = useChange("questions")
  const remove = () => change(client.questions.deleteAll, "The questions are deleted.")
  return (
    <Confirm title="Delete all questions?" action="Delete all" onConfirm={remove} onClose={onClose}>
      <p>What was asked in this workspace, and how it was rated, is gone. Documents and answers of jobs stay.</p>
    </Confirm>
  )
}
