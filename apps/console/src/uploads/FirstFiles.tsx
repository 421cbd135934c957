import { useNavigate } from "@tanstack/react-router"
import { useWorkspace } from "../api/workspace.tsx"
import { Failure } from "../ui/feedback/Failure.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { DropZone } from "./DropZone.tsx"
import { uploadQueue } from "./UploadQueue.ts"

const SOURCE = "uploads"

/** Takes files in a workspace without sources, and creates a connector for them. */
export const FirstFiles = () => {
  const { changed, client, workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  const { error, run } = useWork()
  const takeIn = (files: ReadonlyArray<File>) =>
    run(async () => {
      const connectors = await client.connectors.list()
      const { connector_id } = connectors.find(({ is_active, source_name }) => is_active && source_name === SOURCE) ??
        await client.connectors.create({ name: "Uploads", source_name: SOURCE })
      void changed("connectors")
      uploadQueue(workspace_id, connector_id).add(files)
      await navigate({
        to: "/w/$workspaceId/connectors/$connectorId",
        params: { workspaceId: workspace_id, connectorId: connector_id }
      })
    })
  return (
    <div className="stack first-files">
      <DropZone onFiles={(files) => void takeIn(files)} />
      {error !== null && <Failure error={error} what="The files were not uploaded" />}
    </div>
  )
}
