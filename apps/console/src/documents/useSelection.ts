/** Which documents are chosen: some by their ids, or all that the filters match. */
import { useEffect, useState } from "react"

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly all: boolean
}

const NONE: Selection = { ids: new Set(), all: false }

/** Nothing is chosen once `filters` are others: what was chosen is out of sight. */
export const useSelection = (filters: string) => {
  const [selection, setSelection] = useState(NONE)
  const clear = () => setSelection(NONE)
  useEffect(clear, [filters])
  const toggle = (id: string) =>
    setSelection(({ ids }) => {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      return { ids: next, all: false }
    })
  const toggleAll = (ids: ReadonlyArray<string>) =>
    setSelection((before) => before.ids.size === ids.length ? NONE : { ids: new Set(ids), all: false })
  const chooseAll = () => setSelection(({ ids }) => ({ ids, all: true }))
  return { selection, toggle, toggleAll, chooseAll, clear }
}
