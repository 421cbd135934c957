import type { StoredDocument } from "../api/models.ts"
import { Button } from "../ui/Button.tsx"
import { amount, counted } from "../ui/numbers.ts"
import type { useSelection } from "./useSelection.ts"

interface Props {
  /** Those that are loaded. */
  readonly documents: ReadonlyArray<StoredDocument>
  /** Undefined if there are more than are counted. */
  readonly total: number | undefined
  readonly atLeast: number | undefined
  readonly choice: ReturnType<typeof useSelection>
  readonly chosen: number
  readonly onDelete: () => void
}

/** How many documents there are, which of them are chosen, and what can be done with these. */
export const SelectionBar = (
  { atLeast = 0, choice: { clear, select, selectAll, selection }, chosen, documents, onDelete, total }: Props
) => {
  const isWholeListChosen = Object.keys(selection.ids).length === documents.length
  const chooseList = () =>
    select(isWholeListChosen ? {} : Object.fromEntries(documents.map(({ document_id }) => [document_id, true])))
  return (
    <div className="card-head selection">
      <span role="status" className="numeric">
        {total === undefined ? `More than ${counted(atLeast)} documents` : amount(total, "document")}
        {chosen > 0 && `, ${counted(chosen)} chosen`}
      </span>
      <div className="buttons">
        {documents.length > 0 && (
          <Button small onClick={chooseList}>
            {isWholeListChosen ? "Choose none" : `Choose the ${counted(documents.length)} shown`}
          </Button>
        )}
        {chosen > 0 && !selection.all && total !== undefined && total > documents.length && (
          <Button small onClick={selectAll}>Choose all {counted(total)}</Button>
        )}
        {chosen > 0 && <Button small kind="quiet" onClick={clear}>Clear</Button>}
        {chosen > 0 && <Button small kind="danger" onClick={onDelete}>Delete…</Button>}
      </div>
    </div>
  )
}
