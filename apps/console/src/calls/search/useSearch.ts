/** Results of a search, page by page. Null: no search yet. */
import type { SearchRequest } from "../../api/models.ts"
import { queries } from "../../api/queries.ts"
import { useWorkspacePages } from "../../api/useWorkspaceQuery.ts"
import { useWorkspace } from "../../api/workspace.tsx"

export const useSearch = (request: SearchRequest | null) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const key = ["search", request]
  const found = useWorkspacePages(
    key,
    ({ client, cursor, signal }) =>
      client.knowledge.search({ ...request!, ...(cursor === null ? {} : { cursor }) }, { signal }),
    { enabled: request !== null, staleTime: Infinity }
  )
  /** Null when there is nothing to stop. */
  const stop = found.isFetching ? () => void queries.cancelQueries({ queryKey: [workspace_id, ...key] }) : null
  /** The same search, of what is stored now. */
  const again = (): void => {
    if (!found.isFetching) void queries.resetQueries({ queryKey: [workspace_id, ...key] })
  }
  return { ...found, stop, again }
}

export type SearchState = ReturnType<typeof useSearch>
