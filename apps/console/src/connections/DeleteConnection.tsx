import { useNavigate } from "@tanstack/react-router"
import type { SourceConnection } from "../api/models.ts"
import { useState } from "react"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Confirm } from "../ui/dialogs/Confirm.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"

const CHOICES = [
  [false, "Keep its documents", "They stay as they are: found, and asked about."],
  [true, "Delete its documents, too", "Everything that it ever brought in is gone for good."]
] as const

interface Props {
  readonly connection: SourceConnection
  readonly onClose: () => void
}

export const DeleteConnection = ({ connection: { connection_id, name }, onClose }: Props) => {
  const { client, workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  const [all, setAll] = useState(false)
  const remove = async () => {
    await client.connections.delete(connection_id, { delete_documents: all })
    await navigate({ to: "/w/$workspaceId/sources", params: { workspaceId: workspace_id } })
    await queries.invalidateQueries({
      queryKey: [workspace_id],
      // Its own page may still be shown while the next one loads.
      predicate: ({ queryKey }) => !queryKey.includes(connection_id)
    })
    toast(all ? `“${name}” is deleted, and its documents follow.` : `“${name}” is deleted. Its documents stay.`)
  }
  return (
    <Confirm title={`Delete “${name}”?`} action="Delete connection" onConfirm={remove} onClose={onClose}>
      <p>Nothing more is pulled, and its secrets are gone at once.</p>
      <fieldset className="choices">
        <legend className="hidden-text">What becomes of its documents</legend>
        {CHOICES.map(([value, label, what]) => (
          <label key={label} className="choice">
            <input type="radio" name="documents" checked={all === value} onChange={() => setAll(value)} />
            <b>{label}</b>
            <span className="what">{what}</span>
          </label>
        ))}
      </fieldset>
    </Confirm>
  )
}
