import { useId, useState } from "react"
import { Badge } from "../ui/Badge.tsx"
import { Track } from "../ui/Meter.tsx"
import { amount, bytes } from "../ui/numbers.ts"
import { Card } from "../ui/Page.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useUploads } from "./useUploads.ts"

const STATES = {
  waiting: ["plain", "Waiting"],
  sending: ["accent", "Sending"],
  stored: ["good", "Stored"],
  failed: ["bad", "Refused"]
} as const

export const UploadCard = ({ connectorId }: { readonly connectorId: string }) => {
  const { add, uploads } = useUploads(connectorId)
  const [over, setOver] = useState(false)
  const id = useId()
  const ended = uploads.filter(({ state }) => state === "stored" || state === "failed").length
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
        <label className="button" htmlFor={id}>Choose files</label>
        <input
          id={id}
          className="hidden-text"
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
          <Track label="Uploads" fraction={ended / uploads.length} />
          <span className="small soft numeric">{ended} of {amount(uploads.length, "file")} done</span>
          <ul className="stack small">
            {uploads.slice(-50).map(({ fault, id, name, size, state }) => (
              <li key={id} className="wrap-anywhere">
                <Badge tone={STATES[state][0]}>{STATES[state][1]}</Badge> {name}{" "}
                <span className="soft">{bytes(size)}</span>
                {fault !== null && <p>{fault}</p>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}
