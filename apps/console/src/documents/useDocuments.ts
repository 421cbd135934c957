import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"
import { type DocumentSearch, filterOf } from "./documentSearch.ts"

const PAGE = 200

/** Pages that are read again when somebody comes back to the tab. One after the other, 500 would take minutes. */
const FEW = 5

/** All that match, page by page as they come into sight. */
export const useDocuments = (search: DocumentSearch) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useInfiniteQuery({
    queryKey: [workspace_id, "all-documents", search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.documents.browse({
        ...filterOf(search),
        sort: search.sort ?? "-timestamp",
        cursor: pageParam,
        limit: PAGE
      }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= FEW,
    placeholderData: keepPreviousData
  })
}
