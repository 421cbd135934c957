import { useNavigate } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { SelectField } from "../ui/forms/SelectField.tsx"

export const WorkspaceSwitcher = () => {
  const { workspace, workspaces } = useWorkspace()
  const navigate = useNavigate()
  return (
    <SelectField
      label="Workspace"
      hideLabel
      value={workspace.workspace_id}
      onChange={(workspaceId) => void navigate({ to: "/w/$workspaceId", params: { workspaceId } })}
      options={workspaces.map(({ name, workspace_id }) => [workspace_id, name])}
    />
  )
}
