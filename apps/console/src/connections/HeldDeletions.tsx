import type { SyncState } from "../api/models.ts"
import { useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { amount } from "../ui/numbers.ts"
import { useChange } from "../ui/feedback/useChange.ts"

/** Many documents are gone at the source at once, and a person confirms their deletion. */
export const HeldDeletions = ({ state }: { readonly state: SyncState }) => {
  const { client } = useWorkspace()
  const change = useChange()
  const [asking, setAsking] = useState(false)
  const { connection_id, deletions_held, resource } = state
  const documents = amount(deletions_held, "document")
  const confirm = () =>
    change(
      () => client.connections.confirmDeletions(connection_id, resource),
      "They are deleted with this sync."
    )
  return (
    <div className="note warn">
      <strong>{documents} gone at the source</strong>
      <p>
        They are kept here until you confirm: a source that suddenly misses much is more often broken than emptied. What
        comes back is not deleted.
      </p>
      <div className="buttons">
        <Button small onClick={() => setAsking(true)}>Delete them here, too</Button>
      </div>
      {asking && (
        <Confirm
          title={`Delete ${documents}?`}
          action="Delete"
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p className="wrap-anywhere">
            What is gone from “{resource}”{" "}
            goes from storage, from search and from every answer, too. Look at the source first if you did not expect
            it.
          </p>
        </Confirm>
      )}
    </div>
  )
}
