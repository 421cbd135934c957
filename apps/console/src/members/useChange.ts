import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"

/** Changes members, reloads the lists and shows a toast. */
export const useChange = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  return async (work: () => Promise<unknown>, said: string) => {
    await work()
    await queries.invalidateQueries({ queryKey: [workspace_id] })
    toast(said)
  }
}
