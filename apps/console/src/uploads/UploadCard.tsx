import { useRef, useState, useSyncExternalStore } from "react"
import { useWorkspace } from "../api/workspace.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Card } from "../ui/Page.tsx"
import { UploadList } from "./UploadList.tsx"
import { uploadQueue } from "./UploadQueue.ts"

export const UploadCard = ({ connectorId }: { readonly connectorId: string }) => {
  const { workspace } = useWorkspace()
  const queue = uploadQueue(workspace.workspace_id, connectorId)
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const [over, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <Card title="Upload files">
      <div
        className="drop"
        data-over={over}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          queue.add(event.dataTransfer.files)
        }}
      >
        <Icon name="file" />
        <p>Drop files here, or</p>
        <Button onClick={() => chooser.current?.click()}>Choose files</Button>
        <input
          ref={chooser}
          hidden
          type="file"
          multiple
          onChange={(event) => {
            queue.add(event.target.files ?? [])
            event.target.value = ""
          }}
        />
        <p className="small">
          Text, Markdown, HTML, PDF, DOCX, EML, ICS, CSV and JSON, up to 32 MiB. The same name again replaces the file.
        </p>
      </div>
      {uploads.length > 0 && <UploadList queue={queue} uploads={uploads} />}
    </Card>
  )
}
