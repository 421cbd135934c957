import { type FormEvent, useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { Field } from "../ui/forms/Field.tsx"
import { amount, counted } from "../ui/numbers.ts"
import { toast } from "../ui/feedback/Toasts.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
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
  const { client, workspace } = useWorkspace()
  const [typed, setTyped] = useState("")
  const { busy, error, run } = useWork()
  const isConfirmed = typed.replaceAll(/[\s,.]/g, "") === String(count)
  const remove = async () => {
    if (selection.all) return await client.documents.deleteMatching(filterOf(search), count)
    const ids = Object.keys(selection.ids)
    let deleted = 0
    for (let first = 0; first < ids.length; first += AT_ONCE) {
      deleted += (await client.documents.deleteMany(ids.slice(first, first + AT_ONCE))).deleted
    }
    return { deleted }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    void run(async () => {
      const { deleted } = await remove().finally(() => {
        // Also on failure, because the number may have changed.
        queries.removeQueries({ queryKey: [workspace.workspace_id], type: "inactive" })
        return queries.invalidateQueries({ queryKey: [workspace.workspace_id] })
      })
      toast(`${amount(deleted, "document")} deleted.`)
      onDone()
    })
  }
  return (
    <Dialog title={`Delete ${amount(count, "document")}?`} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>
          They are removed from storage, search and answers at once. Their sources may send them again.
        </p>
        <Field label={`Type ${counted(count)} to confirm`}>
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {error !== null && <Failure error={error} what="They were not deleted" />}
        <div className="dialog-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} aria-disabled={!isConfirmed}>Delete documents</Button>
        </div>
      </form>
    </Dialog>
  )
}
