/** Results of a search, page by page. Null: no search yet. */
import { useInfiniteQuery } from "@tanstack/react-query"
import type { SearchRequest } from "../../api/models.ts"
import { useWorkspace } from "../../api/workspace.tsx"

export const useSearch = (request: SearchRequest | null) => {
  const { client, workspace } = useWorkspace()
  return useInfiniteQuery({
    queryKey: [workspace.workspace_id, "search", request],
    enabled: request !== null,
    staleTime: Infinity,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.knowledge.search({ ...request!, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
}

export type Found = ReturnType<typeof useSearch>
