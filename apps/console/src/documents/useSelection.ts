/** The selected documents: a set of ids, or all that match the filters. */
import { useEffect, useState } from "react"

export interface Selection {
  readonly ids: ReadonlySet<string>
  readonly all: boolean
}

const NONE: Selection = { ids: new Set(), all: false }

/** A change of `filters` clears the selection, which would no longer be visible. */
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
