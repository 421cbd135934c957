import type { ReactNode } from "react"

interface Column {
  getCanSort(): boolean
  getIsSorted(): false | "asc" | "desc"
  getToggleSortingHandler(): undefined | ((event: unknown) => void)
}

const ORDERS = { asc: "ascending", desc: "descending" } as const

/** For the cell that names a column of a sorted table. */
export const ariaSortOf = (column: Column): "ascending" | "descending" | undefined => {
  const order = column.getIsSorted()
  return order === false ? undefined : ORDERS[order]
}

/** Sorts by its column when it is pressed, and the other way round when it is pressed again. */
export const ColumnName = ({ children, column }: { readonly column: Column; readonly children: ReactNode }) =>
  column.getCanSort()
    ? <button type="button" className="column-name" onClick={column.getToggleSortingHandler()}>{children}</button>
    : children
