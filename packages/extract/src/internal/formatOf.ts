/** Which format a file has, by its first bytes, its name and the content type that its sender named, in this order. */

type Format = "text/plain" | "text/markdown" | "text/html" | "application/json"

interface File {
  readonly bytes: Uint8Array
  readonly name: string
  readonly contentType: string
}

// Signatures of what is no text, whatever its name says: PDF, ZIP (and the office formats in it), the old office
// formats, RTF, images, archives, programs.
const BINARY: ReadonlyArray<string> = [
  "%PDF-",
  "PK\x03\x04",
  "PK\x05\x06",
  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  "{\\rtf",
  "\x89PNG",
  "\xff\xd8\xff",
  "GIF8",
  "\x1f\x8b",
  "7z\xbc\xaf\x27\x1c",
  "\x7fELF",
  "SQLite format 3\x00"
]

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map([
  ["txt", "text/plain"],
  ["text", "text/plain"],
  ["log", "text/plain"],
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["xhtml", "text/html"],
  ["json", "application/json"]
])

const BY_CONTENT_TYPE: ReadonlyMap<string, Format> = new Map([
  ["text/plain", "text/plain"],
  ["text/markdown", "text/markdown"],
  ["text/x-markdown", "text/markdown"],
  ["text/html", "text/html"],
  ["application/xhtml+xml", "text/html"],
  ["application/json", "application/json"],
  ["text/json", "application/json"]
])

// Text with a structure of its own, which reading it as plain text would garble.
const STRUCTURED: ReadonlySet<string> = new Set([
  "csv",
  "tsv",
  "eml",
  "mbox",
  "msg",
  "ics",
  "vcf",
  "pdf",
  "doc",
  "docx",
  "odt",
  "xls",
  "xlsx",
  "ppt",
  "pptx",
  "rtf",
  "xml",
  "epub"
])

/** What a sender names that does not know. */
const UNKNOWING: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"])

const latin1 = (bytes: Uint8Array, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => String.fromCharCode(byte)).join("")

/** Of a file whose name and type tell nothing. */
const sniffed = (start: string): Format =>
  /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html|head|body)[\s>]/i.test(start) ? "text/html" : "text/plain"

/** Null when it is none that can be read. */
export const formatOf = ({ bytes, name, contentType }: File): Format | null => {
  const start = latin1(bytes, 1_024)
  if (BINARY.some((signature) => start.startsWith(signature))) return null
  const extension = /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? ""
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const named = BY_EXTENSION.get(extension)
  if (named !== undefined) return named
  if (STRUCTURED.has(extension)) return null
  return BY_CONTENT_TYPE.get(type) ?? (UNKNOWING.has(type) ? sniffed(start) : null)
}
