import { useNavigate } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { Field } from "../ui/forms/Field.tsx"

export const WorkspaceSwitcher = () => {
  const { workspace, workspaces } = useWorkspace()
  const navigate = useNavigate()
  return (
    <Field label="Workspace" hideLabel>
      {(control) => (
        <select
          {...control}
          value={workspace.workspace_id}
          onChange={(event) => void navigate({ to: "/w/$workspaceId", params: { workspaceId: event.target.value } })}
        >
          {workspaces.map(({ name, workspace_id }) => <option key={workspace_id} value={workspace_id}>{name}</option>)}
        </select>
      )}
    </Field>
  )
}
