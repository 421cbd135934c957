import { useNavigate } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { Dialog } from "../ui/dialogs/Dialog.tsx"
import { ConnectorForm } from "./ConnectorForm.tsx"

export const CreateConnector = ({ onClose }: { readonly onClose: () => void }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  return (
    <Dialog title="Create a connector" onClose={onClose}>
      <ConnectorForm
        connector={null}
        onDone={({ connector_id }) =>
          navigate({
            to: "/w/$workspaceId/connectors/$connectorId",
            params: { workspaceId: workspace_id, connectorId: connector_id }
          })}
      />
    </Dialog>
  )
}
