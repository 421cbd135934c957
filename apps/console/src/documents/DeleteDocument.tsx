import type { StoredDocument } from "../api/models.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { documentName } from "./documentName.ts"

interface Props {
  readonly document: StoredDocument
  /** Leaves a page that shows the document. */
  readonly onDeleted?: () => Promise<void>
  readonly onClose: () => void
}

export const DeleteDocument = ({ document, onClose, onDeleted }: Props) => {
  const { changed, client, workspace: { workspace_id } } = useWorkspace()
  const remove = async () => {
    await client.documents.delete(document.document_id)
    toast("The document is deleted.")
    await onDeleted?.()
    // Drop cached lists, so that the deleted document does not flash up again.
    queries.removeQueries({ queryKey: [workspace_id], type: "inactive" })
    await changed()
  }
  return (
    <Confirm title="Delete this document?" action="Delete document" onConfirm={remove} onClose={onClose}>
      <p className="wrap-anywhere">
        “<bdi>{documentName(document)}</bdi>” is removed from storage, search and answers at once. Its source may send
        it again.
      </p>
    </Confirm>
  )
}
