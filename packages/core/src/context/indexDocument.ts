/** What of a document is indexed, and the labels for filters. */
import type { IndexDocument } from "@tributary/retrieval"
import type { DocumentRecord, IndexedDocument } from "../ports/DocumentStore.ts"

/** The label of a value of the filter `sources`. */
export const sourceTag = (source: string): string => `source:${source}`

export const metadataTag = (key: string, value: string): string => `metadata:${key}\u0000${value}`

/** The label that messages of one channel share; null if it is not a message. */
export const streamTag = ({ kind, source, title }: Pick<DocumentRecord, "kind" | "source" | "title">): string | null =>
  kind === "message" && title !== null ? `stream:${source}\u0000${title}` : null

const tags = (document: DocumentRecord): ReadonlyArray<string> => {
  const stream = streamTag(document)
  const provider = document.source.slice(0, document.source.indexOf(":"))
  return [
    sourceTag(document.kind),
    sourceTag(document.source),
    // `custom` is a kind; documents of a connector are found by its name.
    ...(provider === "custom" ? [] : [sourceTag(provider)]),
    ...(stream === null ? [] : [stream]),
    ...Object.entries(document.metadata).map(([key, value]) => metadataTag(key, value))
  ]
}

/** Kinds that people look for by date. */
const DATED_KINDS: ReadonlySet<string> = new Set(["calendar", "email", "message"])

const DATE = { timeZone: "UTC", weekday: "long", day: "numeric", month: "long", year: "numeric" } as const

/** Made when it is first needed, because it loads data about languages. */
let date: Intl.DateTimeFormat | undefined

/** The words of its date, such as `Thursday 12 March 2026`, so that a dated item is found by them. */
const dateWords = ({ kind, timestamp }: Pick<DocumentRecord, "kind" | "timestamp">): string =>
  DATED_KINDS.has(kind) ? `\n${(date ??= new Intl.DateTimeFormat("en-GB", DATE)).format(timestamp)}` : ""

/** What ends like a file name, or is the key of a ticket, such as `OPS-42`. */
const NAME = /[^\s/\\]\.[\p{L}\p{N}]{1,8}$|^\p{Lu}[\p{Lu}\p{N}_]*-\p{N}+$/u

/** Its path, file name or ticket key, from the external id and the metadata; empty if it has none. */
const ownName = ({ external_id, metadata: { path = "" } }: Pick<DocumentRecord, "external_id" | "metadata">) =>
  (external_id.endsWith(path) ? [external_id] : [external_id, path]).filter((name) => NAME.test(name)).join("\n")

/** The title, and the own name in a line of its own: a file or ticket is found by its name, whatever its title. */
export const titleWords = (document: DocumentRecord): string => {
  const [name, title] = [ownName(document), document.title ?? ""]
  return name.endsWith(title) ? name : name === "" ? title : `${title}\n${name}`
}

const indexDocument = (document: IndexedDocument): IndexDocument => {
  const date = dateWords(document)
  // A document without text is found by its title.
  const texts = document.chunks.length === 0 ? [""] : document.chunks
  return {
    id: document.document_id,
    version: document.change_seq,
    title: titleWords(document),
    chunks: date === "" ? texts : texts.map((text) => text + date),
    tags: tags(document),
    from: document.timestamp.getTime(),
    to: (document.ends_at ?? document.timestamp).getTime()
  }
}

/** Pauses at each `yield`. */
export function* indexDocuments(
  documents: ReadonlyArray<IndexedDocument>
): Generator<void, ReadonlyArray<IndexDocument>> {
  const indexed: Array<IndexDocument> = []
  for (const document of documents) {
    indexed.push(indexDocument(document))
    yield
  }
  return indexed
}
