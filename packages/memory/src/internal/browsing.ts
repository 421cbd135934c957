/** Looking through all documents of a workspace. */
import { isFrom } from "@tributary/core/model/Document"
import { foldText } from "@tributary/core/model/folding"
import { overlaps, toRange } from "@tributary/core/model/TemporalRange"
import { isShown } from "@tributary/core/model/Token"
import type { DocumentFilter, DocumentOrder, DocumentPosition } from "@tributary/core/ports/DocumentStore"
import { positionOf } from "@tributary/core/ports/documentPosition"
import type { Version } from "./DocumentTable.ts"
import { byCodePoint, byText } from "./Ordered.ts"

/** A separator between title and external id that no word contains. */
const haystack = ({ record: { external_id, title } }: Version): string => foldText(`${title ?? ""}\n${external_id}`)

const matchesOf = (
  { connectorId, documentIds, from, kind, range, shownTo, source, to, words }: DocumentFilter
): (version: Version) => boolean => {
  const ids = documentIds === null ? null : new Set(documentIds)
  const asked = toRange({ from, to })
  const isNamed = (text: string) => words.every((forms) => forms.some((form) => text.includes(form)))
  const present = range === null ? null : toRange(range)
  return (version) => {
    const { connector_id, record } = version
    const [begin, end] = [record.timestamp.getTime(), (record.ends_at ?? record.timestamp).getTime()]
    return (ids === null || ids.has(record.document_id)) &&
      (connectorId === null || connector_id === connectorId) &&
      (source === null || isFrom(record.source, source)) &&
      (kind === null || record.kind === kind) &&
      overlaps(asked, begin, end) &&
      (present === null || overlaps(present, begin, end) === range?.inside) &&
      (words.length === 0 || isNamed(haystack(version))) &&
      (shownTo === null || isShown(shownTo, record))
  }
}

export function* matching(versions: Iterable<Version>, filter: DocumentFilter, limit: number): Generator<Version> {
  const matches = matchesOf(filter)
  let found = 0
  for (const version of versions) {
    if (found === limit) return
    if (!matches(version)) continue
    found++
    yield version
  }
}

const compare = (left: DocumentPosition, right: DocumentPosition): number =>
  (typeof left.key === "string" && typeof right.key === "string"
    ? byCodePoint(left.key, right.key)
    : Number(left.key) - Number(right.key)) || byText(left.document_id, right.document_id)

export const browsed = (
  versions: Iterable<Version>,
  filter: DocumentFilter,
  order: DocumentOrder,
  after: DocumentPosition | null,
  limit: number
): ReadonlyArray<Version> => {
  const matches = matchesOf(filter)
  const direction = order.descending ? -1 : 1
  return [...versions].filter(matches)
    .map((version) => ({ version, position: positionOf(version.record, order) }))
    .filter(({ position }) => after === null || direction * compare(position, after) > 0)
    .sort((left, right) => direction * compare(left.position, right.position))
    .slice(0, limit)
    .map(({ version }) => version)
}
