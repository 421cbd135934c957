import { useDropzone } from "react-dropzone"
import { Button } from "../ui/Button.tsx"
import { errorMessage } from "../ui/feedback/errorMessage.ts"
import { toast } from "../ui/feedback/Toasts.tsx"
import { Icon } from "../ui/Icon.tsx"
import { bytes } from "../ui/numbers.ts"
import { readFiles } from "./readFiles.ts"
import { LARGEST } from "./UploadQueue.ts"

/** Takes files and folders that are dropped on it, and files that are chosen or pasted. */
export const DropZone = ({ onFiles }: { readonly onFiles: (files: ReadonlyArray<File>) => void }) => {
  const { getInputProps, getRootProps, isDragActive, open } = useDropzone({
    noClick: true,
    noKeyboard: true,
    // Files that are still being read when more are dropped would not reach `onDrop`.
    getFilesFromEvent: async (event) => {
      try {
        const files = await readFiles(event)
        if (files?.length === 0) toast("There are no files in it.", true)
        else if (files !== null) onFiles(files)
      } catch (error) {
        toast(`What was dropped cannot be read. ${errorMessage(error)}`, true)
      }
      return []
    }
  })
  return (
    <div {...getRootProps({ className: "drop" })} data-over={isDragActive}>
      <Icon name="file" />
      <p>Drop files here, or</p>
      <Button onClick={open}>Choose files</Button>
      <input {...getInputProps()} hidden />
      <p className="small">
        Text, Markdown, HTML, MHTML, XML, PDF, DOCX, PPTX, XLSX, ODT, ODP, ODS, RTF, EPUB, EML, MBOX, ICS, VCF, IPYNB,
        CSV and JSON, up to {bytes(LARGEST)}. The same name again replaces the file.
      </p>
    </div>
  )
}
