import { useNavigate } from "@tanstack/react-router"
import { type FormEvent, useState } from "react"
import { consoleApi } from "../api/consoleApi.ts"
import { queries } from "../api/queries.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { UnsavedGuard } from "../ui/dialogs/UnsavedGuard.tsx"
import { NameField } from "../ui/forms/NameField.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { useWork } from "../ui/feedback/useWork.ts"

interface Props {
  readonly name: string
  readonly label: string
  readonly action: string
  readonly onSubmit: (name: string) => Promise<unknown>
}

const NameForm = ({ action, label, name: given, onSubmit }: Props) => {
  const [name, setName] = useState(given)
  const { busy, error, run } = useWork()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== "") void run(() => onSubmit(name))
  }
  return (
    <form className="form" onSubmit={submit}>
      {given !== "" && <UnsavedGuard changed={() => name.trim() !== given} />}
      <NameField label={label} value={name} onChange={setName} />
      {error !== null && <Failure error={error} />}
      <div className="dialog-end">
        <Button type="submit" busy={busy} kind="primary">{action}</Button>
      </div>
    </form>
  )
}

export const RenameWorkspace = () => {
  const { workspace: { name, workspace_id } } = useWorkspace()
  return (
    <NameForm
      name={name}
      label="Name of the workspace"
      action="Rename"
      onSubmit={async (name) => {
        await consoleApi.renameWorkspace(workspace_id, name)
        await queries.invalidateQueries({ queryKey: ["workspaces"] })
        toast("Renamed.")
      }}
    />
  )
}

export const NewWorkspace = ({ onDone }: { readonly onDone: () => void }) => {
  const navigate = useNavigate()
  return (
    <NameForm
      name=""
      label="Name"
      action="Create workspace"
      onSubmit={async (name) => {
        const { workspace_id } = await consoleApi.openWorkspace(name)
        await queries.invalidateQueries({ queryKey: ["workspaces"] })
        onDone()
        await navigate({ to: "/w/$workspaceId", params: { workspaceId: workspace_id } })
      }}
    />
  )
}

export const RenameMe = () => {
  const { me } = useWorkspace()
  return (
    <NameForm
      name={me.user.name}
      label="Your name"
      action="Save"
      onSubmit={async (name) => {
        await consoleApi.rename(name)
        await queries.invalidateQueries({ queryKey: ["me"] })
        toast("Saved.")
      }}
    />
  )
}
