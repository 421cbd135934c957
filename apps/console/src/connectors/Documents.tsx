import { useInfiniteQuery } from "@tanstack/react-query"
import type { Connector } from "@tributary/client"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { CardSkeleton, Empty } from "../ui/Page.tsx"
import { DocumentRows } from "./DocumentRows.tsx"
import { DocumentSearch } from "./DocumentSearch.tsx"

/** All, page by page; or the one with an external id, shown above what else is found. */
const Listed = ({ connectorId, externalId }: { readonly connectorId: string; readonly externalId: string | null }) => {
  const { client, workspace } = useWorkspace()
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: [workspace.workspace_id, "documents", connectorId, externalId],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      const query = externalId === null ? {} : { external_id: externalId }
      const listed = client.documents.list(connectorId, query, { limit: 20 })
      return (await listed.pages(pageParam).next()).value ?? { items: [], next_cursor: null }
    },
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  const documents = data?.pages.flatMap(({ items }) => items)
  if (error !== null) {
    return <Failure error={error} what="The documents cannot be shown" retry={() => void refetch()} />
  }
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
    return <CardSkeleton />
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
      {hasNextPage && (
        <div className="result">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show more</Button>
        </div>
      )}
    </>
  )
}

export const Documents = ({ connector }: { readonly connector: Connector }) => (
  <DocumentSearch source={`custom:${connector.source_name}`} hint="By words, or by an exact external id.">
    {(words) => <Listed connectorId={connector.connector_id} externalId={words?.trim() ?? null} />}
  </DocumentSearch>
)
