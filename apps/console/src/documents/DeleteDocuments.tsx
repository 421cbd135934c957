import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Form } from "../ui/forms/Form.tsx"
import { useForm } from "../ui/forms/useForm.ts"
import { amount, counted } from "../ui/numbers.ts"
import { toast } from "../ui/feedback/Toasts.tsx"
import { type DocumentSearch, filterOf } from "./documentSearch.ts"
import type { Selection } from "./useSelection.ts"

/** Most documents in one request. */
const AT_ONCE = 1_000

interface Props {
  readonly selection: Selection
  readonly search: DocumentSearch
  /** How many are chosen. */
  readonly count: number
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Deletes only after the person types the number of documents, and only if the server counts the same number. */
export const DeleteDocuments = ({ count, onClose, onDone, search, selection }: Props) => {
  const { changed, client, workspace } = useWorkspace()
  const remove = async () => {
    if (selection.all) return await client.documents.deleteMatching(filterOf(search), count)
    const ids = Object.keys(selection.ids)
    let deleted = 0
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      deleted += (await client.documents.deleteMany(ids.slice(first, first + AT_ONCE))).deleted
    }
    return { deleted }
  }
  const form = useForm({
    values: { typed: "" },
    check: ({ typed }) => ({
      typed: typed.replaceAll(/[\s,.]/g, "") !== String(count) && `Type ${counted(count)}: that many are deleted.`
    }),
    submit: async () => {
      const { deleted } = await remove().finally(() => {
        // Also on failure, because the number may have changed.
        queries.removeQueries({ queryKey: [workspace.workspace_id], type: "inactive" })
        return changed()
      })
      toast(`${amount(deleted, "document")} deleted.`)
      onDone()
    }
  })
  return (
    <Dialog title={`Delete ${amount(count, "document")}?`} onClose={onClose}>
      <Form
        form={form}
        action="Delete documents"
        danger
        failure="They were not deleted"
        beside={<Button onClick={onClose}>Cancel</Button>}
      >
        <p>
          They are removed from storage, search and answers at once. Their sources may send them again.
        </p>
        <form.AppField name="typed">
          {({ Text }) => <Text label={`Type ${counted(count)} to confirm`} inputMode="numeric" />}
        </form.AppField>
      </Form>
    </Dialog>
  )
}
