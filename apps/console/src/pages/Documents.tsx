import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { DeleteDocuments } from "../documents/DeleteDocuments.tsx"
import { DocumentFilters } from "../documents/DocumentFilters.tsx"
import { type DocumentSearch, isFiltered, NEWEST_FIRST } from "../documents/documentSearch.ts"
import { DocumentTable } from "../documents/DocumentTable.tsx"
import { NoDocuments } from "../documents/NoDocuments.tsx"
import { SelectionBar } from "../documents/SelectionBar.tsx"
import { useDocuments } from "../documents/useDocuments.ts"
import { useSelection } from "../documents/useSelection.ts"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Warnings } from "../ui/feedback/Warnings.tsx"
import { Card, Page } from "../ui/Page.tsx"
import { ShowMore } from "../ui/ShowMore.tsx"

const PATH = "/w/$workspaceId/documents"

export const Documents = () => {
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const choice = useSelection(JSON.stringify(search))
  const { all, ids } = choice.selection
  // A row that comes in would move the others under the pointer.
  const found = useDocuments(search, all || Object.keys(ids).length > 0)
  const [deleting, setDeleting] = useState(false)
  const onSearch = (search: DocumentSearch) => void navigate({ search, replace: true })
  const { hasNextPage, isFetchingNextPage } = found
  const documents = found.data?.pages.flatMap(({ documents }) => documents)
  // The latest page has the newest count.
  const { total, total_at_least: atLeast } = found.data?.pages.at(-1) ?? {}
  const chosen = all ? total ?? 0 : Object.keys(ids).length
  return (
    <Page title="Documents" lead="Everything that this workspace stores, pushed or pulled.">
      <Card flush>
        <DocumentFilters search={search} onSearch={onSearch} />
        {documents === undefined && <NotLoaded flush query={found} what="The documents cannot be shown" lines={8} />}
        {documents !== undefined && (
          <SelectionBar
            documents={documents}
            total={total}
            atLeast={atLeast}
            choice={choice}
            chosen={chosen}
            onDelete={() => setDeleting(true)}
          />
        )}
        <Warnings warnings={found.data?.pages[0]?.warnings} />
        {documents?.length === 0 && <NoDocuments isFiltered={isFiltered(search)} />}
        {documents !== undefined && documents.length > 0 && (
          <DocumentTable
            documents={documents}
            total={total ?? atLeast ?? documents.length}
            selection={choice.selection}
            onSelect={choice.select}
            sort={search.sort ?? NEWEST_FIRST}
            onSort={(sort) => onSearch({ ...search, sort })}
            onEnd={() => {
              if (hasNextPage && !isFetchingNextPage) void found.fetchNextPage()
            }}
            find={search.q}
          />
        )}
        {found.isFetchNextPageError && <ShowMore list={found} />}
      </Card>
      {deleting && (
        <DeleteDocuments
          selection={choice.selection}
          search={search}
          count={chosen}
          onDone={() => {
            setDeleting(false)
            choice.clear()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}
