import { useSyncExternalStore } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Card } from "../ui/Page.tsx"
import { DropZone } from "./DropZone.tsx"
import { UploadList } from "./UploadList.tsx"
import { uploadQueue } from "./UploadQueue.ts"

export const UploadCard = ({ connectorId }: { readonly connectorId: string }) => {
  const { workspace } = useWorkspace()
  const queue = uploadQueue(workspace.workspace_id, connectorId)
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  return (
    <Card title="Upload files">
      <DropZone onFiles={queue.add} />
      {uploads.length > 0 && <UploadList queue={queue} uploads={uploads} />}
    </Card>
  )
}
