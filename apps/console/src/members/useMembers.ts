import { consoleApi } from "../api/consoleApi.ts"
import { perPage, useReadOn, useWorkspacePages } from "../api/useWorkspaceQuery.ts"

/** All people of the workspace, of whom the first ones come first. */
export const useMembers = () => {
  const found = useWorkspacePages(["members"], ({ cursor, workspaceId }) => consoleApi.members(workspaceId, cursor), {
    staleTime: 10_000,
    refetchInterval: perPage(10_000)
  })
  const isReading = useReadOn(found)
  return { ...found, isReading, members: found.data?.pages.flatMap(({ members }) => members) }
}
