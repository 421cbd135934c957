import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspacePages } from "../api/useWorkspaceQuery.ts"

/** The people of the workspace, page by page. */
export const useMembers = () => {
  const found = useWorkspacePages(["members"], ({ cursor, workspaceId }) => consoleApi.members(workspaceId, cursor))
  return { ...found, members: found.data?.pages.flatMap(({ members }) => members) }
}
