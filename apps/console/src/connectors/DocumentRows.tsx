import { Link } from "@tanstack/react-router"
import type { StoredDocument } from "../api/models.ts"
import { useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { dayOf } from "../ui/time/Moment.tsx"
import { bytes } from "../ui/numbers.ts"
import { toast } from "../ui/feedback/Toasts.tsx"

/** Rows of documents, each with a button to delete it. */
export const DocumentRows = ({ documents }: { readonly documents: ReadonlyArray<StoredDocument> }) => {
  const { client, workspace } = useWorkspace()
  const [deleting, setDeleting] = useState<StoredDocument | null>(null)
  const remove = async ({ document_id }: StoredDocument) => {
    await client.documents.delete(document_id)
    // Drop cached lists, so that the deleted document does not flash up again.
    queries.removeQueries({ queryKey: [workspace.workspace_id], type: "inactive" })
    await queries.invalidateQueries({ queryKey: [workspace.workspace_id] })
    toast("The document is deleted.")
  }
  return (
    <>
      <ul className="rows">
        {documents.map((document) => (
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
      {deleting !== null && (
        <Confirm
          title="Delete this document?"
          action="Delete document"
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(null)}
        >
          <p className="wrap-anywhere">
            “{deleting.title ?? deleting.external_id}” is removed from storage, search and answers at once.
          </p>
        </Confirm>
      )}
    </>
  )
}
