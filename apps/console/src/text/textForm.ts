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

const MARKDOWN = /\.(md|markdown|mdx)$/i

/** Lines count, unlike those of Markdown. */
const LINES = /\.(x?html?|mht(ml)?|docx|pptx|xlsx|od[pst]|rtf|epub|eml)$/i

/** Comments of source code and settings look like headings of Markdown. */
const CODE =
  /\.(bash|[ch]|cc|conf|cpp|cs|css|go|hpp|ini|java|[cm]?jsx?|json|kt|lua|php|pl|py|rb|rs|scss|sh|sql|swift|toml|[cm]?tsx?|xml|ya?ml)$/i

const contentTypeOf = (payload: FullDocument["payload"]): unknown =>
  typeof payload === "object" && payload !== null && "content_type" in payload ? payload["content_type"] : null

/** An uploaded file has its name in the metadata. */
const isNamed = ({ external_id, metadata }: FullDocument, pattern: RegExp): boolean =>
  [external_id, metadata["path"] ?? ""].some((name) => pattern.test(name))

export const hasMarkdownSigns = (text: string): boolean => SIGNS.some((sign) => sign.test(text.slice(0, BEGINNING)))

export const isCode = (document: FullDocument): boolean => isNamed(document, CODE)

export const isMarkdown = (document: FullDocument): boolean =>
  isNamed(document, MARKDOWN) || contentTypeOf(document.payload) === "text/markdown" ||
  (!isCode(document) && hasMarkdownSigns(document.text))

/** The text of a page, a Word file or a mail. */
export const hasLines = (document: FullDocument): boolean =>
  isNamed(document, LINES) || contentTypeOf(document.payload) === "text/html"
