import { Link } from "@tanstack/react-router"
import type { StoredDocument } from "../api/models.ts"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { DeleteDocument } from "../documents/DeleteDocument.tsx"
import { documentName } from "../documents/documentName.ts"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { dayOf } from "../ui/time/Moment.tsx"
import { bytes } from "../ui/numbers.ts"

/** Rows of documents, each with a button to delete it. */
export const DocumentRows = ({ documents }: { readonly documents: ReadonlyArray<StoredDocument> }) => {
  const { workspace } = useWorkspace()
  const [deleting, setDeleting] = useState<StoredDocument | null>(null)
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
                  <bdi>{documentName(document)}</bdi>
                </Link>
                {!document.in_context && <Badge>Outside the context</Badge>}
              </div>
              <div className="facts">
                {documentName(document) !== document.external_id && <bdi className="mono">{document.external_id}</bdi>}
                <span>{document.kind}</span>
                <span>{dayOf(document.timestamp)}</span>
                <span>{bytes(document.size)}</span>
              </div>
            </div>
            <Button
              small
              kind="quiet bad"
              aria-label={`Delete ${documentName(document)}`}
              onClick={() => setDeleting(document)}
            >
              Delete
            </Button>
          </li>
        ))}
      </ul>
      {deleting !== null && <DeleteDocument document={deleting} onClose={() => setDeleting(null)} />}
    </>
  )
}
