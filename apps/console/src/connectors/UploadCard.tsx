import { useRef, useState } from "react"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Track } from "../ui/Meter.tsx"
import { amount, bytes } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { Icon } from "../ui/Icon.tsx"
import { type Upload, useUploads } from "./useUploads.ts"

const STATES = {
  waiting: ["plain", "Waiting"],
  sending: ["accent", "Sending"],
  stored: ["good", "Stored"],
  failed: ["bad", "Refused"]
} as const

const hasEnded = ({ state }: Upload): boolean => state === "stored" || state === "failed"
const isRead = ({ sent, size, state }: Upload): boolean => state === "sending" && sent === size

const StateBadge = ({ upload }: { readonly upload: Upload }) => {
  const [tone, word] = STATES[upload.state]
  return <Badge tone={tone}>{isRead(upload) ? "Reading" : word}</Badge>
}

const sumOf = (uploads: ReadonlyArray<Upload>, count: (upload: Upload) => number): number =>
  uploads.reduce((sum, upload) => sum + count(upload), 0)

/** By the bytes that have left. The last percent is what the service makes of them. */
const Progress = ({ uploads }: { readonly uploads: ReadonlyArray<Upload> }) => {
  const size = sumOf(uploads, ({ size }) => size)
  const sent = sumOf(uploads, (upload) => hasEnded(upload) ? upload.size : upload.sent)
  const ended = uploads.filter(hasEnded).length
  const isDone = ended === uploads.length
  return (
    <>
      <Track label="Uploads" fraction={isDone ? 1 : Math.min(0.99, sent / Math.max(1, size))} />
      <span className="small soft numeric">
        {bytes(sent)} of {bytes(size)} sent, {ended} of {amount(uploads.length, "file")} done
      </span>
    </>
  )
}

export const UploadCard = ({ connectorId }: { readonly connectorId: string }) => {
  const { add, uploads } = useUploads(connectorId)
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
          add(event.dataTransfer.files)
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
            add(event.target.files ?? [])
            event.target.value = ""
          }}
        />
        <p className="small">
          Text, Markdown, HTML, PDF, DOCX, EML, ICS, CSV and JSON, up to 32 MiB. The same name again replaces the file.
        </p>
      </div>
      {uploads.length > 0 && (
        <div className="stack" role="status">
          <Progress uploads={uploads} />
          <ul className="stack small">
            {uploads.slice(-50).map((upload) => (
              <li key={upload.id} className="wrap-anywhere">
                <StateBadge upload={upload} /> {upload.name} <span className="soft">{bytes(upload.size)}</span>
                {upload.fault !== null && <p>{upload.fault}</p>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
