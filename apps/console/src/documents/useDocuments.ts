import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query"
import { useWorkspace } from "../api/workspace.tsx"
import { type DocumentSearch, filterOf, NEWEST_FIRST } from "./documentSearch.ts"

const PAGE = 200

/** Most pages to reload when the tab regains focus. 500 would take minutes, one after the other. */
const FEW = 5

/** Matching documents, loaded page by page while scrolling. */
export const useDocuments = (search: DocumentSearch) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  return useInfiniteQuery({
    queryKey: [workspace_id, "all-documents", search],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.documents.browse({
        ...filterOf(search),
        sort: search.sort ?? NEWEST_FIRST,
        cursor: pageParam,
        limit: PAGE
      }, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= FEW,
    placeholderData: keepPreviousData
  })
}
