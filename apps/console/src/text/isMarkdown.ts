/** Whether a text is better read as Markdown: by its name, by what its sender said, or by how it is written. */
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

const saysMarkdown = (payload: FullDocument["payload"]): boolean =>
  typeof payload === "object" && payload !== null && "content_type" in payload &&
  payload["content_type"] === "text/markdown"

export const isMarkdown = ({ external_id, payload, text }: FullDocument): boolean =>
  /\.(md|markdown|mdx)$/i.test(external_id) || saysMarkdown(payload) ||
  SIGNS.some((sign) => sign.test(text.slice(0, BEGINNING)))
