import { Link } from "@tanstack/react-router"
import {
  createColumnHelper,
  functionalUpdate,
  rowSelectionFeature,
  type RowSelectionState,
  rowSortingFeature,
  tableFeatures,
  type Updater,
  useTable
} from "@tanstack/react-table"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react"
import type { DocumentSort, StoredDocument } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../sources/SourceName.tsx"
import { Badge } from "../ui/Badge.tsx"
import { bytes } from "../ui/numbers.ts"
import { rem } from "../ui/rem.ts"
import { ariaSortOf, ColumnName } from "../ui/table/ColumnName.tsx"
import { dayOf, Moment } from "../ui/time/Moment.tsx"
import { documentName } from "./documentName.ts"
import type { Selection } from "./useSelection.ts"

/** In `rem`, as in the style sheet. */
const ROW = 3.75

interface Props {
  readonly documents: ReadonlyArray<StoredDocument>
  /** The number of matches, as far as they are counted. */
  readonly total: number
  readonly selection: Selection
  readonly onSelect: (update: Updater<RowSelectionState>) => void
  readonly sort: DocumentSort
  readonly onSort: (sort: DocumentSort) => void
  /** Called when the end of the loaded rows becomes visible. */
  readonly onEnd: () => void
  /** Search words to highlight in an opened document. */
  readonly find: string | undefined
}

const Title = ({ document, find }: { readonly document: StoredDocument; readonly find: string | undefined }) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const { document_id, external_id, in_context } = document
  const name = documentName(document)
  return (
    <>
      <Link
        to="/w/$workspaceId/documents/$documentId"
        params={{ workspaceId: workspace_id, documentId: document_id }}
        search={find === undefined ? {} : { find }}
        preload={false}
      >
        <bdi>{name}</bdi>
      </Link>
      {!in_context && <Badge>Outside</Badge>}
      {name !== external_id && <bdi className="mono small soft">{external_id}</bdi>}
    </>
  )
}

const features = tableFeatures({ rowSelectionFeature, rowSortingFeature })
const column = createColumnHelper<typeof features, StoredDocument>()

const columnsOf = (find: string | undefined) =>
  column.columns([
    column.display({
      id: "chosen",
      header: () => <span className="hidden-text">Chosen</span>,
      cell: ({ row }) => (
        <input
          type="checkbox"
          aria-label={`Choose ${documentName(row.original)}`}
          checked={row.getIsSelected()}
          onChange={row.getToggleSelectedHandler()}
        />
      )
    }),
    column.accessor("title", {
      header: "Title",
      sortDescFirst: false,
      cell: ({ row }) => <Title document={row.original} find={find} />
    }),
    column.accessor("source", {
      header: "Source",
      enableSorting: false,
      cell: ({ getValue }) => <SourceName source={getValue()} />
    }),
    column.accessor("timestamp", { header: "Dated", sortDescFirst: true, cell: ({ getValue }) => dayOf(getValue()) }),
    column.accessor("updated_at", {
      header: "Changed",
      sortDescFirst: true,
      cell: ({ getValue }) => <Moment at={getValue()} />
    }),
    column.accessor("size", { header: "Size", cell: ({ getValue }) => bytes(getValue()) })
  ])

/** A virtualised table: only visible rows are in the DOM, and in the table's model. */
export const DocumentTable = ({ documents, find, onEnd, onSelect, onSort, selection, sort, total }: Props) => {
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  const [row] = useState(() => rem(ROW))
  useLayoutEffect(() => setTop(frame.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: documents.length,
    estimateSize: () => row,
    overscan: 12,
    scrollMargin: top
  })
  const places = virtual.getVirtualItems()
  const last = places.at(-1)?.index ?? 0
  useEffect(() => {
    if (documents.length > 0 && last >= documents.length - 20) onEnd()
  }, [last, documents.length])
  const columns = useMemo(() => columnsOf(find), [find])
  // A model of all rows would be built again for every list that is loaded.
  const data = places.map(({ index }) => documents[index]!)
  const sorting = [{ id: sort.replace("-", ""), desc: sort.startsWith("-") }]
  const table = useTable({
    features,
    columns,
    data,
    getRowId: ({ document_id }) => document_id,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    state: {
      rowSelection: selection.all
        ? Object.fromEntries(data.map(({ document_id }) => [document_id, true]))
        : selection.ids,
      sorting
    },
    onRowSelectionChange: onSelect,
    onSortingChange: (update) => {
      for (const { desc, id } of functionalUpdate(update, sorting)) onSort(`${desc ? "-" : ""}${id}` as DocumentSort)
    }
  })
  const { rows } = table.getRowModel()
  return (
    <div role="table" aria-label="Documents" aria-rowcount={total + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className="document-row head">
          {table.getFlatHeaders().map((header) => (
            <span
              key={header.id}
              role="columnheader"
              data-column={header.column.id}
              aria-sort={ariaSortOf(header.column)}
            >
              <ColumnName column={header.column}>
                <table.FlexRender header={header} />
              </ColumnName>
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={frame} className="document-rows" style={{ height: virtual.getTotalSize() }}>
        {places.map(({ index, start }, place) => (
          <div
            key={rows[place]!.id}
            role="row"
            aria-rowindex={index + 2}
            className="document-row"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {rows[place]!.getAllCells().map((cell) => (
              <span key={cell.id} role="cell" data-column={cell.column.id}>
                <table.FlexRender cell={cell} />
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
