import { keepPreviousData } from "@tanstack/react-query"
import { useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import { type DocumentSearch, filterOf, NEWEST_FIRST } from "./documentSearch.ts"

const PAGE = 200

/** Most pages to reload when the tab regains focus. 500 would take minutes, one after the other. */
const FEW = 5

/** Matching documents, loaded page by page while scrolling. */
export const useDocuments = (search: DocumentSearch) =>
  useWorkspacePages(
    ["all-documents", search],
    ({ client, cursor, signal }) => {
      const query = { ...filterOf(search), sort: search.sort ?? NEWEST_FIRST, cursor, limit: PAGE }
      return client.documents.browse(query, { signal })
    },
    {
      refetchOnWindowFocus: ({ state: { data } }) => (data?.pages.length ?? 0) <= FEW,
      placeholderData: keepPreviousData
    }
  )
