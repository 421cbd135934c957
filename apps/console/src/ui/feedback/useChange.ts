import { useWorkspace } from "../../api/workspace.tsx"
import { toast } from "./Toasts.tsx"

/** Changes something of the workspace, reads again the queries whose keys begin like this, and says so. */
export const useChange = (...key: ReadonlyArray<string>) => {
  const { changed } = useWorkspace()
  return async (work: () => Promise<unknown>, said?: string): Promise<void> => {
    await work()
    await changed(...key)
    if (said !== undefined) toast(said)
  }
}
