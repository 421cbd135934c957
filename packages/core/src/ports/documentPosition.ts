/** The position of a document in an order. */
import { foldAscii } from "../model/folding.ts"
import type { DocumentOrder, DocumentPosition, DocumentRecord } from "./DocumentStore.ts"

export const TITLE_KEY_LENGTH = 100

/** Compared by code point: the first characters of the folded title, or else of the external id. */
const titleKey = ({ external_id, title }: DocumentRecord): string =>
  [...foldAscii(title ?? external_id)].slice(0, TITLE_KEY_LENGTH).join("")

export const positionOf = (record: DocumentRecord, { by }: DocumentOrder): DocumentPosition => ({
  key: by === "title" ? titleKey(record) : by === "size" ? record.size : record[by].getTime(),
  document_id: record.document_id
})
