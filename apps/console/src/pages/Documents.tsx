import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { DeleteDocuments } from "../documents/DeleteDocuments.tsx"
import { DocumentFilters } from "../documents/DocumentFilters.tsx"
import type { DocumentSearch } from "../documents/documentSearch.ts"
import { DocumentTable } from "../documents/DocumentTable.tsx"
import { useDocuments } from "../documents/useDocuments.ts"
import { useSelection } from "../documents/useSelection.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { Card, CardSkeleton, Empty, Page } from "../ui/Page.tsx"

const PATH = "/w/$workspaceId/documents"

export const Documents = () => {
  const { workspace: { workspace_id } } = useWorkspace()
  const search = useSearch({ from: PATH })
  const navigate = useNavigate({ from: PATH })
  const found = useDocuments(search)
  const { sort = "-timestamp", ...filters } = search
  const { clear, select, selectAll, selection } = useSelection(JSON.stringify(search))
  const [deleting, setDeleting] = useState(false)
  const onSearch = (search: DocumentSearch) => void navigate({ search, replace: true })
  const pages = found.data?.pages
  const documents = pages?.flatMap(({ documents }) => documents)
  // The latest page has the newest count.
  const { total, total_at_least } = pages?.at(-1) ?? {}
  const listed = Object.keys(selection.ids).length
  const chosen = selection.all ? total ?? 0 : listed
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Page title="Documents" lead="Everything that this workspace stores, pushed or pulled.">
      <Card flush>
        <DocumentFilters search={search} onSearch={onSearch} />
        {found.error !== null && (
          <Failure
            error={found.error}
            what="The documents cannot be shown"
            retry={() => void found.refetch()}
          />
        )}
        {documents === undefined && found.error === null && <CardSkeleton lines={8} />}
        {documents !== undefined && (
          <div className="card-head selection">
            <span role="status" className="numeric">
              {total === undefined
                ? `More than ${counted(total_at_least ?? 0)} documents`
                : amount(total, "document")}
              {chosen > 0 && `, ${counted(chosen)} chosen`}
            </span>
            <div className="buttons">
              {documents.length > 0 && (
                <Button
                  small
                  onClick={() =>
                    select(
                      listed === documents.length
                        ? {}
                        : Object.fromEntries(documents.map(({ document_id }) => [document_id, true]))
                    )}
                >
                  {listed === documents.length
                    ? "Choose none"
                    : `Choose the ${counted(documents.length)} shown`}
                </Button>
              )}
              {chosen > 0 && !selection.all && total !== undefined && total > documents.length && (
                <Button small onClick={selectAll}>Choose all {counted(total)}</Button>
              )}
              {chosen > 0 && <Button small kind="quiet" onClick={clear}>Clear</Button>}
              {chosen > 0 && <Button small kind="danger" onClick={() => setDeleting(true)}>Delete…</Button>}
            </div>
          </div>
        )}
        {documents?.length === 0 && (
          <Empty icon="file" title={isFiltered ? "No document matches" : "Nothing is stored yet"}>
            {isFiltered
              ? <p>This looks at titles and ids. The playground searches in the texts.</p>
              : (
                <>
                  <p>Drop a few files, push through a connector, or connect where your data is already.</p>
                  <Link className="button" to="/w/$workspaceId/sources" params={{ workspaceId: workspace_id }}>
                    Add a source
                  </Link>
                </>
              )}
          </Empty>
        )}
        {documents !== undefined && documents.length > 0 && (
          <DocumentTable
            documents={documents}
            total={total ?? total_at_least ?? documents.length}
            selection={selection}
            onSelect={select}
            sort={sort}
            onSort={(sort) => onSearch({ ...search, sort })}
            onEnd={() => {
              if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage()
            }}
            find={search.q}
          />
        )}
      </Card>
      {deleting && (
        <DeleteDocuments
          selection={selection}
          search={search}
          count={chosen}
          onDone={() => {
            setDeleting(false)
            clear()
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  )
}
