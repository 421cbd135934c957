/** Detects the format of a file by its first bytes, its name and its content type, in this order. */

/** Plain text, which is cheap to parse. */
export type TextFormat = "text/plain" | "text/markdown" | "text/html" | "application/json"

/** Formats that need a library, with unpredictable time and memory. */
type CompoundFormat =
  | "application/epub+zip"
  | "application/mbox"
  | "application/ms-tnef"
  | "application/pdf"
  | "application/rtf"
  | "application/vnd.oasis.opendocument"
  | "application/vnd.openxmlformats-officedocument.presentationml.presentation"
  | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
  | "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  | "application/x-ipynb+json"
  | "application/xml"
  | "message/rfc822"
  | "multipart/related"
  | "text/calendar"
  | "text/csv"
  | "text/vcard"

export type Format = TextFormat | CompoundFormat

const PDF = "application/pdf"

interface File {
  readonly bytes: Uint8Array
  readonly name: string
  readonly contentType: string
}

const OLD_OFFICE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
const PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"

// Signatures of what is no text, or none that says anything: old office formats, images, archives, programs, and
// encrypted mails.
const BINARY: ReadonlyArray<string> = [
  OLD_OFFICE,
  "\x89PNG",
  "\xff\xd8\xff",
  "GIF8",
  "\x1f\x8b",
  "7z\xbc\xaf\x27\x1c",
  "\x7fELF",
  "SQLite format 3\x00",
  PGP_MESSAGE
]

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map([
  ["txt", "text/plain"],
  ["text", "text/plain"],
  ["log", "text/plain"],
  // Browsers take TypeScript for a video, and give types of programs to others.
  ...["bib", "mts", "org", "po", "srt", "tex", "ts", "vtt"].map((name) => [name, "text/plain"] as const),
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["xhtml", "text/html"],
  ["json", "application/json"],
  ["jsonl", "application/json"],
  ["ndjson", "application/json"],
  ["ipynb", "application/x-ipynb+json"],
  ["svg", "application/xml"],
  ["xml", "application/xml"],
  ["eml", "message/rfc822"],
  ["mbox", "application/mbox"],
  ["vcf", "text/vcard"],
  ["mhtml", "multipart/related"],
  ["mht", "multipart/related"],
  ["ics", "text/calendar"],
  ["csv", "text/csv"],
  ["tsv", "text/csv"]
])

const BY_CONTENT_TYPE: ReadonlyMap<string, Format> = new Map([
  ["text/plain", "text/plain"],
  ["text/markdown", "text/markdown"],
  ["text/x-markdown", "text/markdown"],
  ["text/html", "text/html"],
  ["application/xhtml+xml", "text/html"],
  ["application/json", "application/json"],
  ["text/json", "application/json"],
  ["application/jsonl", "application/json"],
  ["application/x-ndjson", "application/json"],
  ["application/x-ipynb+json", "application/x-ipynb+json"],
  ["application/mbox", "application/mbox"],
  ["message/rfc822", "message/rfc822"],
  ["multipart/related", "multipart/related"],
  ["application/x-mimearchive", "multipart/related"],
  ["text/calendar", "text/calendar"],
  ["text/vcard", "text/vcard"],
  ["text/x-vcard", "text/vcard"],
  ["text/csv", "text/csv"],
  ["application/csv", "text/csv"],
  ["text/tab-separated-values", "text/csv"]
])

// Structured text, which would be garbled as plain text.
const STRUCTURED: ReadonlySet<string> = new Set(
  "msg pdf doc docx odt ods odp xls xlsx ppt pptx rtf epub p7m".split(" ")
)
const STRUCTURED_TYPE = /^text\/(?:rtf|richtext|enriched|sgml|directory)/

const XML = /[/+]xml(?:$|-)/

/** Source code and settings, and other text that people write, such as `text/x-rst`. */
const WRITTEN =
  /^text\/|^application\/(?:x-)?(?:javascript|typescript|perl|php|python|ruby|sh|shellscript|sql|toml|yaml)$/

/** Content types that say nothing. */
const UNKNOWING: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"])

const latin1 = (bytes: Uint8Array, length: number): string =>
  Array.from(bytes.subarray(0, length), (byte) => String.fromCharCode(byte)).join("")

const BEGINNINGS: ReadonlyArray<readonly [RegExp, Format]> = [
  [/^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body)[\s>]/i, "text/html"],
  [/^(?:\xef\xbb\xbf)?<\?xml\s/, "application/xml"],
  [/^(?:\xef\xbb\xbf)?BEGIN:VCALENDAR\r?\n/, "text/calendar"],
  [/^(?:\xef\xbb\xbf)?BEGIN:VCARD\r?\n/, "text/vcard"]
]

/** The format of a file whose name and type say nothing. */
const sniffed = (start: string): Format => BEGINNINGS.find(([beginning]) => beginning.test(start))?.[1] ?? "text/plain"

/** By the name of a part that others do not have. Word's main part may be numbered. */
const ARCHIVES: ReadonlyArray<readonly [part: string, Format]> = [
  ["word/document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["ppt/presentation.xml", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ["xl/workbook.xml", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["META-INF/manifest.xml", "application/vnd.oasis.opendocument"],
  ["META-INF/container.xml", "application/epub+zip"]
]

/** An archive lists its parts at its end, after those of an archive within it. */
const archived = (bytes: Uint8Array): Format | null => {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let [last, found]: [number, Format | null] = [-1, null]
  for (const [part, format] of ARCHIVES) {
    const at = archive.lastIndexOf(part)
    if (at > last) [last, found] = [at, format]
  }
  return found
}

const byContentType = (type: string, start: string): Format | null => {
  if (UNKNOWING.has(type)) return sniffed(start)
  const known = BY_CONTENT_TYPE.get(type)
  if (known !== undefined) return known
  if (XML.test(type)) return "application/xml"
  if (type.endsWith("+json")) return "application/json"
  return WRITTEN.test(type) && !STRUCTURED_TYPE.test(type) ? "text/plain" : null
}

/** What a file of Office with a password contains, which is in the format of the old ones. */
const ENCRYPTED_OFFICE = Buffer.from("EncryptedPackage", "utf16le")

/** Of files that are not supported: whether the reason is that they are encrypted. */
export const isEncrypted = ({ bytes, contentType, name }: File): boolean => {
  const start = latin1(bytes, PGP_MESSAGE.length)
  return start === PGP_MESSAGE || /^application\/(?:x-)?pkcs7-mime\b/i.test(contentType) ||
    /(?:^|[/\\])smime\.p7m$/i.test(name) ||
    (start.startsWith(OLD_OFFICE) &&
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_OFFICE))
}

/** Null if it is not supported. */
export const formatOf = ({ bytes, name, contentType }: File): Format | null => {
  const start = latin1(bytes, 1_024)
  if (start.startsWith("%PDF-")) return PDF
  if (start.startsWith("PK\x03\x04")) return archived(bytes)
  if (start.startsWith("{\\rtf")) return "application/rtf"
  if (start.startsWith("\x78\x9f\x3e\x22")) return "application/ms-tnef"
  if (BINARY.some((signature) => start.startsWith(signature))) return null
  const extension = /\.([^./\\]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? ""
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const named = BY_EXTENSION.get(extension)
  if (named !== undefined) return named
  // Some programs put a few lines before it, and a text may mention it.
  if (start.includes("%PDF-")) return PDF
  if (STRUCTURED.has(extension)) return null
  return byContentType(type, start)
}
