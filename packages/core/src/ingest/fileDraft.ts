/** An uploaded file as an item: its text, and its metadata from the client. */
import { Effect } from "effect"
import type { FileItem } from "../model/Ingest.ts"
import type { Payload } from "../model/Kind.ts"
import type { KindCatalogue } from "../model/KindCatalogue.ts"
import type { TextExtractor } from "../ports/TextExtractor.ts"
import { fingerprint } from "./fingerprint.ts"
import { type ItemDraft, period, readPayload, toBadRequest } from "./ingestItem.ts"
import { metadataValue, paragraphs, provenance, textWithAuthor } from "./provenance.ts"
import { jsonText } from "../internal/jsonParts.ts"
import { sha256Parts } from "../internal/sha256.ts"

const DEFAULT_KIND = "page"

/** Some clients send a whole path. */
const baseName = (name: string): string | null => name.split(/[/\\]/).findLast((part) => part.trim() !== "") ?? null

const readFile = Effect.fnUntraced(
  function*({ file }: FileItem, described: Payload, kinds: KindCatalogue, extractor: TextExtractor["Service"]) {
    const content = yield* Effect.mapError(extractor.fromFile(file), toBadRequest)
    const name = baseName(file.name)
    const { metadata, text, title, url } = yield* readPayload(described, kinds, extractor)
    return {
      title: title ?? content.title ?? name,
      url,
      text: paragraphs([text, textWithAuthor(content)]),
      metadata: {
        ...provenance(content),
        ...metadata,
        // Sources store the whole path there.
        ...(name === null ? {} : { path: metadataValue(name) })
      }
    }
  }
)

/** Bytes that are hashed between two pauses. */
const PART = 1_048_576

function* hashOf(bytes: Uint8Array): Generator<void, string> {
  const hash = sha256Parts()
  for (let start = 0; start < bytes.length; start += PART) {
    hash.add(bytes.subarray(start, start + PART))
    yield
  }
  return hash.hex()
}

export const fileDraft = (kinds: KindCatalogue) =>
  function*(item: FileItem): Generator<void, ItemDraft> {
    const { bytes, contentType, name } = item.file
    const kind = item.kind ?? DEFAULT_KIND
    const payload = item.payload ?? null
    const metadata = item.metadata ?? {}
    const described = { ...payload, kind }
    return {
      kind,
      external_id: item.external_id ?? null,
      payload: payload === null ? null : yield* jsonText(payload),
      size: bytes.length,
      ...period(described, item.timestamp ?? null),
      metadata,
      *fingerprint() {
        const content = yield* hashOf(bytes)
        const sent = { form: "file", content, name, content_type: contentType, kind, payload, metadata }
        return yield* fingerprint(sent, bytes.length)
      },
      extract: (extractor) => readFile(item, described, kinds, extractor)
    }
  }
