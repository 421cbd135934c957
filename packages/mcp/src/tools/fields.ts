/** Fields that several tools take, and how tools refer to documents. */
import { MetadataFilter, Sources } from "@tributary/core/model/Search"
import { ClientTimestamp } from "@tributary/core/model/Timestamp"
import { Schema } from "effect"

/** A field that may be left out or null. */
export const optionalField = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.optionalKey(Schema.NullOr(schema).annotate({ description }))

export const sources = optionalField(
  Sources,
  "Read only these sources. Each is a connector (\"custom:wiki\"), a provider (\"imap\") or a kind of document " +
    "(\"email\"). Call list_sources for the names. Example: [\"custom:wiki\", \"email\"]"
)

export const from = optionalField(
  ClientTimestamp,
  "Read only documents dated at or after this moment, with an offset. Example: \"2026-01-01T00:00:00Z\""
)

export const to = optionalField(
  ClientTimestamp,
  "Read only documents dated before this moment, with an offset. Example: \"2026-02-01T00:00:00Z\""
)

export const metadata = optionalField(
  MetadataFilter,
  "Read only documents that carry all of these metadata values exactly. Example: {\"team\": \"payments\"}"
)

const PREFIX = "tributary://document/"

/** In characters, of the URI of a document. */
const MAX_URI = 1_000

const documentUri = (id: string): string => `${PREFIX}${encodeURIComponent(id)}`

/** The id that a URI names, or null. */
export const documentIdOf = (uri: string): string | null => {
  const encoded = uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : ""
  if (encoded === "" || encoded.includes("/") || uri.length > MAX_URI) return null
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

interface Named {
  readonly external_id: string
  readonly title: string | null
  readonly url: string | null
}

/** Clients expect a title and an address of every document, also of one that has neither. */
export const linked = (id: string, { external_id, title, url }: Named) => ({
  id,
  title: title ?? external_id,
  url: url ?? documentUri(id)
})
