import { useInfiniteQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useDeferredValue, useState } from "react"
import type { Document } from "@tributary/client"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/Confirm.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { dayOf } from "../ui/Moment.tsx"
import { bytes } from "../ui/numbers.ts"
import { Card, Empty, Skeleton } from "../ui/Page.tsx"
import { toast } from "../ui/Toasts.tsx"

export const Documents = ({ connectorId }: { readonly connectorId: string }) => {
  const { client, workspace } = useWorkspace()
  const [wanted, setWanted] = useState("")
  const [deleting, setDeleting] = useState<Document | null>(null)
  const external_id = useDeferredValue(wanted.trim())
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useInfiniteQuery({
    queryKey: [workspace.workspace_id, "documents", connectorId, external_id],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      const listed = client.documents.list(connectorId, external_id === "" ? {} : { external_id }, { limit: 20 })
      return (await listed.pages(pageParam).next()).value ?? { items: [], next_cursor: null }
    },
    getNextPageParam: ({ next_cursor }) => next_cursor
  })
  const documents = data?.pages.flatMap(({ items }) => items)
  const remove = async ({ document_id }: Document) => {
    await client.documents.delete(document_id)
    await queries.invalidateQueries({ queryKey: [workspace.workspace_id] })
    toast("The document is deleted.")
  }

  return (
    <Card
      flush
      title="Documents"
      aside={
        <Field label="Exact external id" hideLabel>
          {(control) => (
            <input
              {...control}
              type="search"
              placeholder="Exact external id"
              value={wanted}
              onChange={(event) => setWanted(event.target.value)}
            />
          )}
        </Field>
      }
    >
      {error !== null && <Failure error={error} what="The documents cannot be shown" retry={() => void refetch()} />}
      {documents === undefined && error === null && (
        <div className="dialog">
          <Skeleton />
        </div>
      )}
      {documents?.length === 0 && (
        <Empty icon="file" title={external_id === "" ? "No documents yet" : "No document has this id"}>
          <p>
            {external_id === ""
              ? "Drop a few files above, or push through the API."
              : "External ids are compared as a whole; the playground searches in texts."}
          </p>
        </Empty>
      )}
      <ul className="rows">
        {documents?.map((document) => (
          <li key={document.document_id}>
            <div>
              <div className="row-title">
                <Link
                  to="/w/$workspaceId/documents/$documentId"
                  params={{ workspaceId: workspace.workspace_id, documentId: document.document_id }}
                >
                  {document.title ?? document.external_id}
                </Link>
                {!document.in_context && <Badge>Outside the context</Badge>}
              </div>
              <div className="facts">
                {document.title !== null && <span className="mono">{document.external_id}</span>}
                <span>{document.kind}</span>
                <span>{dayOf(document.timestamp)}</span>
                <span>{bytes(document.size)}</span>
              </div>
            </div>
            <Button
              small
              kind="quiet bad"
              aria-label={`Delete ${document.title ?? document.external_id}`}
              onClick={() => setDeleting(document)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="result">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>Show more</Button>
        </div>
      )}
      {deleting !== null && (
        <Confirm
          title="Delete this document?"
          action="Delete document"
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(null)}
        >
          <p className="wrap-anywhere">
            “{deleting.title ?? deleting.external_id}” is gone from storage, from search and from every answer at once.
          </p>
        </Confirm>
      )}
    </Card>
  )
}
