import { Link } from "@tanstack/react-router"
import { useWindowVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import type { StoredDocument } from "../api/models.ts"
import { useWorkspace } from "../api/workspace.tsx"
import { SourceName } from "../sources/SourceName.tsx"
import { Badge } from "../ui/Badge.tsx"
import { dayOf, Moment } from "../ui/time/Moment.tsx"
import { bytes } from "../ui/numbers.ts"

const ROW = 56

interface Props {
  readonly documents: ReadonlyArray<StoredDocument>
  /** The number of matches, as far as they are counted. */
  readonly total: number
  readonly chosen: (id: string) => boolean
  readonly onToggle: (id: string) => void
  /** Called when the end of the loaded rows becomes visible. */
  readonly onEnd: () => void
  /** Search words to highlight in an opened document. */
  readonly find: string | undefined
}

/** A virtualised table: only visible rows are in the DOM. */
export const DocumentTable = ({ chosen, documents, find, onEnd, onToggle, total }: Props) => {
  const { workspace: { workspace_id } } = useWorkspace()
  const frame = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(frame.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: documents.length,
    estimateSize: () => ROW,
    overscan: 12,
    scrollMargin: top
  })
  const rows = virtual.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (documents.length > 0 && last >= documents.length - 20) onEnd()
  }, [last, documents.length])
  return (
    <div className="document-table" role="table" aria-label="Documents" aria-rowcount={total + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className="document-row head">
          <span role="columnheader">
            <span className="hidden-text">Chosen</span>
          </span>
          <span role="columnheader">Title</span>
          <span role="columnheader">Source</span>
          <span role="columnheader">Dated</span>
          <span role="columnheader">Changed</span>
          <span role="columnheader">Size</span>
        </div>
      </div>
      <div role="rowgroup" ref={frame} className="document-rows" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const document = documents[index]!
          const { document_id, external_id, in_context, size, source, timestamp, title, updated_at } = document
          return (
            <div
              key={document_id}
              role="row"
              aria-rowindex={index + 2}
              className="document-row"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <span role="cell">
                <input
                  type="checkbox"
                  aria-label={`Choose ${title ?? external_id}`}
                  checked={chosen(document_id)}
                  onChange={() => onToggle(document_id)}
                />
              </span>
              <span role="cell" className="document-title">
                <Link
                  to="/w/$workspaceId/documents/$documentId"
                  params={{ workspaceId: workspace_id, documentId: document_id }}
                  search={find === undefined ? {} : { find }}
                  preload={false}
                >
                  <bdi>{title ?? external_id}</bdi>
                </Link>
                {!in_context && <Badge>Outside</Badge>}
                {title !== null && <bdi className="mono small soft">{external_id}</bdi>}
              </span>
              <span role="cell" className="small soft">
                <SourceName source={source} />
              </span>
              <span role="cell" className="small">{dayOf(timestamp)}</span>
              <span role="cell" className="small soft">
                <Moment at={updated_at} />
              </span>
              <span role="cell" className="small soft numeric">{bytes(size)}</span>
            </div>
          )
        })}
      </div>
    </div>
  )
}
