import { useInfiniteQuery } from "@tanstack/react-query"
import { consoleApi } from "../api/consoleApi.ts"
import { useWorkspace } from "../api/workspace.tsx"

/** The people of the workspace, page by page. */
export const useMembers = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const found = useInfiniteQuery({
    queryKey: [workspace_id, "members"],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) => consoleApi.members(workspace_id, pageParam),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  return { ...found, members: found.data?.pages.flatMap(({ members }) => members) }
}
