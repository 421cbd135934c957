import type { CustomConnector } from "../api/models.ts"
import { perPage, useWorkspacePages } from "../api/useWorkspaceQuery.ts"
import type { CallSearch } from "../calls/filters/callSearch.ts"
import { ShowMore } from "../ui/ShowMore.tsx"
import { NotLoaded } from "../ui/feedback/NotLoaded.tsx"
import { Empty } from "../ui/Page.tsx"
import { DocumentRows } from "./DocumentRows.tsx"
import { DocumentSearch } from "./DocumentSearch.tsx"

/** All, page by page; or the one with an external id, shown above what else is found. */
const Listed = ({ connectorId, externalId }: { readonly connectorId: string; readonly externalId: string | null }) => {
  const listed = useWorkspacePages(
    ["documents", connectorId, externalId],
    ({ client, cursor, signal }) => {
      const query = { cursor, limit: 20, ...(externalId === null ? {} : { external_id: externalId }) }
      return client.documents.list(connectorId, query, { signal })
    },
    { refetchInterval: perPage(5_000) }
  )
  const { data } = listed
  const documents = data?.pages.flatMap(({ items }) => items)
  if (externalId !== null) {
    return documents === undefined || documents.length === 0 ? null : (
      <section aria-label="With exactly this id">
        <div className="card-head">
          <h2>With exactly this id</h2>
        </div>
        <DocumentRows documents={documents} />
      </section>
    )
  }
  if (documents === undefined) {
    return <NotLoaded flush query={listed} what="The documents cannot be shown" />
  }
  if (documents.length === 0) {
    return (
      <Empty icon="file" title="No documents yet">
        <p>Drop a few files above, or push through the API.</p>
      </Empty>
    )
  }
  return (
    <>
      <DocumentRows documents={documents} />
      <ShowMore list={listed} />
    </>
  )
}

interface Props {
  readonly connector: CustomConnector
  readonly search: CallSearch
  readonly onSearch: (search: CallSearch) => void
}

export const Documents = ({ connector, onSearch, search }: Props) => (
  <DocumentSearch
    source={`custom:${connector.source_name}`}
    hint="By words, or by an exact external id."
    search={search}
    onSearch={onSearch}
  >
    {(words) => <Listed connectorId={connector.connector_id} externalId={words?.trim() ?? null} />}
  </DocumentSearch>
)
