import { useNavigate } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { connectorFor } from "../connectors/connectorFor.ts"
import { Failure } from "../ui/feedback/Failure.tsx"
import { DropZone } from "./DropZone.tsx"
import { uploadQueue } from "./UploadQueue.ts"

const UPLOADS = { name: "Uploads", source_name: "uploads" }

/** Takes files in a workspace without sources, and creates a connector for them. */
export const FirstFiles = () => {
  const { changed, client, workspace: { workspace_id } } = useWorkspace()
  const navigate = useNavigate()
  const [error, setError] = useState<unknown>(null)
  /** One batch after another, so that the first creates the connector for all. */
  const taking = useRef(Promise.resolve())
  const takeIn = async (files: ReadonlyArray<File>) => {
    const { connector_id } = await connectorFor(client, UPLOADS)
    void changed("connectors")
    uploadQueue(workspace_id, connector_id).add(files)
    await navigate({
      to: "/w/$workspaceId/connectors/$connectorId",
      params: { workspaceId: workspace_id, connectorId: connector_id }
    })
  }
  const onFiles = (files: ReadonlyArray<File>): void => {
    setError(null)
    taking.current = taking.current.then(() => takeIn(files)).catch(setError)
  }
  return (
    <div className="stack first-files">
      <DropZone onFiles={onFiles} />
      {error !== null && <Failure error={error} what="The files were not uploaded" />}
    </div>
  )
}
