import { useEffect, useRef, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { toast } from "../ui/feedback/Toasts.tsx"
import { Icon } from "../ui/Icon.tsx"
import { droppedFiles } from "./droppedFiles.ts"

const prevent = (event: Event): void => event.preventDefault()

/** A file that is dropped outside the zone would replace the page. */
const useHarmlessDrops = () =>
  useEffect(() => {
    for (const type of ["dragover", "drop"]) addEventListener(type, prevent)
    return () => {
      for (const type of ["dragover", "drop"]) removeEventListener(type, prevent)
    }
  }, [])

/** Takes files that are dropped on it or chosen. */
export const DropZone = ({ onFiles }: { readonly onFiles: (files: ReadonlyArray<File>) => void }) => {
  const [over, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  useHarmlessDrops()
  const drop = (data: DataTransfer) => {
    const { files, folders } = droppedFiles(data)
    if (files.length > 0) onFiles(files)
    if (folders > 0) toast("Folders are not taken. Drop the files in them.")
  }
  return (
    <div
      className="drop"
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        // The pointer moves between elements within the zone.
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        drop(event.dataTransfer)
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
