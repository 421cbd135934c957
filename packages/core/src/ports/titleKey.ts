/**
 * The sort key for titles, compared by code point: the first characters of the folded title, or else of the external
 * id.
 */
import { foldAscii } from "../model/foldAscii.ts"
import type { DocumentRecord } from "./DocumentStore.ts"

export const TITLE_KEY_LENGTH = 100

export const titleKey = ({ external_id, title }: Pick<DocumentRecord, "external_id" | "title">): string =>
  [...foldAscii(title ?? external_id)].slice(0, TITLE_KEY_LENGTH).join("")
