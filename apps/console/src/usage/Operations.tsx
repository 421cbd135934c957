import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable
} from "@tanstack/react-table"
import type { DayUsage } from "../api/models.ts"
import { counted, milliseconds } from "../ui/numbers.ts"
import { ariaSortOf, ColumnName } from "../ui/table/ColumnName.tsx"
import { type OperationSummary, summariesOf } from "./summary.ts"

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() })
const column = createColumnHelper<typeof features, OperationSummary>()
const measured = (value: number | null): string => value === null ? "" : milliseconds(value)

const columns = column.columns([
  column.accessor("operation", { header: "Operation" }),
  column.accessor("requests", { header: "Requests", cell: ({ getValue }) => counted(getValue()) }),
  column.accessor("refused", { header: "Refused", cell: ({ getValue }) => counted(getValue()) }),
  column.accessor("typical", { header: "Typical answer", cell: ({ getValue }) => measured(getValue()) }),
  column.accessor("slow", { header: "Slow answers", cell: ({ getValue }) => measured(getValue()) })
])

export const Operations = ({ history }: { readonly history: ReadonlyArray<DayUsage> }) => {
  const table = useTable({
    features,
    columns,
    data: summariesOf(history),
    enableSortingRemoval: false,
    initialState: { sorting: [{ id: "requests", desc: true }] }
  })
  return (
    <div className="table-frame" role="region" aria-label="Table of operations" tabIndex={0}>
      <table className="figures-table">
        <thead>
          <tr>
            {table.getFlatHeaders().map((header) => (
              <th key={header.id} scope="col" aria-sort={ariaSortOf(header.column)}>
                <ColumnName column={header.column}>
                  <table.FlexRender header={header} />
                </ColumnName>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell) =>
                cell.column.id === "operation"
                  ? (
                    <th key={cell.id} scope="row" className="mono">
                      <table.FlexRender cell={cell} />
                    </th>
                  )
                  : (
                    <td key={cell.id}>
                      <table.FlexRender cell={cell} />
                    </td>
                  )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
