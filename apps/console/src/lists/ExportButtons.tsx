import { Button } from "../ui/Button.tsx"
import { errorMessage } from "../ui/feedback/errorMessage.ts"
import { toast } from "../ui/feedback/Toasts.tsx"
import { useWork } from "../ui/feedback/useWork.ts"
import { download, type Row, toCsv } from "./exporting.ts"

interface Props {
  /** Of the file, without its ending. */
  readonly name: string
  readonly rows: () => ReadonlyArray<Row> | Promise<ReadonlyArray<Row>>
}

const FORMS = [
  ["CSV", "csv", "text/csv", toCsv],
  ["JSON", "json", "application/json", (rows: ReadonlyArray<Row>) => JSON.stringify(rows, null, 2)]
] as const

export const ExportButtons = ({ name, rows }: Props) => {
  const { busy, run } = useWork()
  return (
    <div className="buttons" role="group" aria-label="Export what is listed">
      <span className="small soft" aria-hidden="true">Export</span>
      {FORMS.map(([label, ending, type, write]) => (
        <Button
          key={label}
          small
          busy={busy}
          aria-label={`Export as ${label}`}
          onClick={() =>
            void run(async () => {
              try {
                download(`${name}.${ending}`, type, write(await rows()))
              } catch (error) {
                toast(errorMessage(error), true)
              }
            })}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}
