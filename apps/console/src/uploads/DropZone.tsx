import { useDropzone } from "react-dropzone"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

/** Files of a folder are named by their path, so that those of the same name stay apart. */
const named = (file: File & { readonly path?: string }): File => {
  const name = file.path?.replace(/^\.?\//, "") ?? file.name
  return name === file.name ? file : new File([file], name, { type: file.type, lastModified: file.lastModified })
}

/** Takes files and folders that are dropped on it, and files that are chosen or pasted. */
export const DropZone = ({ onFiles }: { readonly onFiles: (files: ReadonlyArray<File>) => void }) => {
  const { getInputProps, getRootProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    onDrop: (files) => onFiles(files.map(named))
  })
  return (
    <div {...getRootProps({ className: "drop" })} data-over={isDragActive}>
      <Icon name="file" />
      <p>Drop files here, or</p>
      <Button onClick={open}>Choose files</Button>
      <input {...getInputProps()} hidden />
      <p className="small">
        Text, Markdown, HTML, PDF, DOCX, EML, ICS, CSV and JSON, up to 32 MiB. The same name again replaces the file.
      </p>
    </div>
  )
}
