/** Results of a search, page by page. Null: no search yet. */
import { useInfiniteQuery } from "@tanstack/react-query"
import type { SearchRequest } from "../../api/models.ts"
import { queries } from "../../api/queries.ts"
import { useWorkspace } from "../../api/workspace.tsx"

export const useSearch = (request: SearchRequest | null) => {
  const { client, workspace } = useWorkspace()
  const queryKey = [workspace.workspace_id, "search", request]
  const found = useInfiniteQuery({
    queryKey,
    enabled: request !== null,
    staleTime: Infinity,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.knowledge.search({ ...request!, ...(pageParam === null ? {} : { cursor: pageParam }) }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  /** Null when there is nothing to stop. */
  const stop = found.isFetching ? () => void queries.cancelQueries({ queryKey }) : null
  return { ...found, stop }
}

export type SearchState = ReturnType<typeof useSearch>
