import { useRef, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

/** Takes files that are dropped on it or chosen. */
export const DropZone = ({ onFiles }: { readonly onFiles: (files: ReadonlyArray<File>) => void }) => {
  const [over, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  return (
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
        onFiles([...event.dataTransfer.files])
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
        onChange={({ target }) => {
          onFiles([...target.files ?? []])
          target.value = ""
        }}
      />
      <p className="small">
        Text, Markdown, HTML, PDF, DOCX, EML, ICS, CSV and JSON, up to 32 MiB. The same name again replaces the file.
      </p>
    </div>
  )
}
