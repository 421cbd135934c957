/** The selected documents: some by their ids, or all that match the filters. */
import { functionalUpdate, type RowSelectionState, type Updater } from "@tanstack/react-table"
import { useEffect, useState } from "react"

export interface Selection {
  readonly ids: RowSelectionState
  readonly all: boolean
}

const NONE: Selection = { ids: {}, all: false }

/** A change of `filters` clears the selection, which would no longer be visible. */
export const useSelection = (filters: string) => {
  const [selection, setSelection] = useState(NONE)
  const clear = () => setSelection(NONE)
  useEffect(clear, [filters])
  const select = (update: Updater<RowSelectionState>) =>
    setSelection(({ ids }) => ({ ids: functionalUpdate(update, ids), all: false }))
  const selectAll = () => setSelection(({ ids }) => ({ ids, all: true }))
  return { selection, select, selectAll, clear }
}
