import { keepPreviousData } from "@tanstack/react-query"
import { perPage, useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { type DocumentSearch, filterOf, NEWEST_FIRST } from "./documentSearch.ts"

const PAGE = 200

/** Most pages to read again by itself. 500 would take minutes, one after the other. */
const FEW = 5

/** Matching documents, loaded page by page while scrolling. `isStill` keeps the rows where they are. */
export const useDocuments = (search: DocumentSearch, isStill: boolean) =>
  useWorkspacePages(
    ["all-documents", search],
    ({ client, cursor, signal }) => {
      const query = { ...filterOf(search), sort: search.sort ?? NEWEST_FIRST, cursor, limit: PAGE }
      return client.documents.browse(query, { signal })
    },
    {
      refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= FEW,
      refetchInterval: (query) => !isStill && (query.state.data?.pages.length ?? 0) <= FEW && perPage(10_000)(query),
      placeholderData: keepPreviousData
    }
  )
