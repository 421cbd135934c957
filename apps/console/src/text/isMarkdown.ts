/** How a text is better read: by its name, by what its sender said, or by how it is written. */
import type { FullDocument } from "../api/models.ts"

/** Characters that are enough to recognise Markdown. */
const BEGINNING = 20_000

const SIGNS = [
  /^#{1,6} \S/m,
  /^ {0,3}(```|~~~)/m,
  /^\|.+\|\s*$/m,
  /^ {0,3}[-*+] \S.*\n {0,3}[-*+] \S/m,
  /\*\*\S[^*\n]*\*\*/
]

const contentTypeOf = (payload: FullDocument["payload"]): unknown =>
  typeof payload === "object" && payload !== null && "content_type" in payload ? payload["content_type"] : null

export const hasMarkdownSigns = (text: string): boolean => SIGNS.some((sign) => sign.test(text.slice(0, BEGINNING)))

export const isMarkdown = ({ external_id, payload, text }: FullDocument): boolean =>
  /\.(md|markdown|mdx)$/i.test(external_id) || contentTypeOf(payload) === "text/markdown" ||
  hasMarkdownSigns(text)

/** The text of a page, a Word file or a mail, whose line breaks count, unlike those of Markdown. */
export const hasLines = ({ external_id, metadata, payload }: FullDocument): boolean =>
  [external_id, metadata["path"] ?? ""].some((name) => /\.(x?html?|docx|eml)$/i.test(name)) ||
  contentTypeOf(payload) === "text/html"
