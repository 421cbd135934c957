/** An uploaded file as an item: its text, and its metadata from the client. */
import { Effect } from "effect"
import type { FileItem } from "../model/Ingest.ts"
import type { Payload } from "../model/Kind.ts"
import type { KindCatalogue } from "../model/KindCatalogue.ts"
import type { TextExtractor } from "../ports/TextExtractor.ts"
import { type Draft, period, readPayload, unread } from "./ingestItem.ts"
import { credited, metadataValue, paragraphs } from "./provenance.ts"
import { sha256Hex } from "../internal/sha256.ts"

const DEFAULT_KIND = "page"

/** Some clients send a whole path. */
const baseName = (name: string): string | null => name.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? null

const readFile = Effect.fnUntraced(
  function*({ file }: FileItem, described: Payload, kinds: KindCatalogue, extractor: TextExtractor["Service"]) {
    const content = yield* Effect.mapError(extractor.fromFile(file), unread)
    const said = credited(content)
    const name = baseName(file.name)
    const { metadata, text, title, url } = yield* readPayload(described, kinds, extractor)
    return {
      title: title ?? content.title ?? name,
      url,
      text: paragraphs([text, said.text]),
      metadata: {
        ...said.metadata,
        ...metadata,
        // Sources store the whole path there.
        ...(name === null ? {} : { path: metadataValue(name) })
      }
    }
  }
)

export const fileDraft = (kinds: KindCatalogue) => (item: FileItem): Draft => {
  const { bytes, contentType, name } = item.file
  const kind = item.kind ?? DEFAULT_KIND
  const payload = item.payload ?? null
  const metadata = item.metadata ?? {}
  const described = { ...payload, kind }
  return {
    kind,
    external_id: item.external_id ?? null,
    payload: payload === null ? null : JSON.stringify(payload),
    size: bytes.length,
    ...period(described, item.timestamp ?? null),
    metadata,
    sent: Effect.map(
      sha256Hex(bytes),
      (content) => ({ form: "file", content, name, content_type: contentType, kind, payload, metadata })
    ),
    extract: (extractor) => readFile(item, described, kinds, extractor)
  }
}
