/** Turns an item, in any of its forms, into an admission for the store. */
import { chunksOf } from "@tributary/retrieval"
import { Effect, type Schema } from "effect"
import { byteLength } from "../internal/longText.ts"
import { jsonText } from "../internal/jsonParts.ts"
import { inSlices, type Slices } from "../jobs/Slices.ts"
import { labelledStringLines } from "../labelledStrings.ts"
import type { Connector } from "../model/Connector.ts"
import { BadRequest, type Overloaded } from "../model/Error.ts"
import { DocumentId, EventId } from "../model/Id.ts"
import type { ContentType, JsonItem, TextItem, TypedItem } from "../model/Ingest.ts"
import type { Payload } from "../model/Kind.ts"
import type { KindCatalogue } from "../model/KindCatalogue.ts"
import { toStorable } from "../model/Text.ts"
import { dateTimeFault, toDate } from "../model/Timestamp.ts"
import type { Admission } from "../ports/DocumentStore.ts"
import type { Extracted, TextExtractor, Unreadable, Unsupported } from "../ports/TextExtractor.ts"
import { fingerprint } from "./fingerprint.ts"
import { payloadText } from "./payloadText.ts"
import { credited, paragraphs } from "./provenance.ts"
import { uuid7 } from "../internal/uuid7.ts"

type Extractor = TextExtractor["Service"]

/** An item of any form, before its text is extracted. */
export interface ItemDraft {
  readonly kind: string
  readonly external_id: string | null
  readonly payload: string | null
  /** Bytes that count against the plan. */
  readonly size: number
  readonly timestamp: Date | null
  readonly ends_at: Date | null
  readonly metadata: Readonly<Record<string, string>>
  /** The fields that distinguish the item from a stored one, with sorted keys. */
  readonly sent: () => Generator<void, Schema.JsonObject>
  /** `BadRequest`: it cannot be read. */
  readonly extract: (extractor: Extractor) => Effect.Effect<ExtractedItem, BadRequest | Overloaded>
}

export interface ExtractedItem {
  readonly title: string | null
  readonly url: string | null
  readonly text: string
  /** Metadata from the item's own content, which the client's metadata overrides. */
  readonly metadata?: Readonly<Record<string, string>>
}

export function* jsonDraft(item: JsonItem): Generator<void, ItemDraft> {
  const payload = yield* jsonText(item.data)
  return {
    kind: "custom",
    external_id: item.external_id ?? null,
    payload,
    size: yield* byteLength(payload),
    timestamp: item.timestamp ?? null,
    ends_at: null,
    metadata: item.metadata ?? {},
    *sent() {
      return { data: item.data, form: "json", metadata: item.metadata ?? {} }
    },
    extract: () => Effect.map(inSlices(labelledStringLines(item.data)), (text) => ({ title: null, url: null, text }))
  }
}

/** Extraction errors that the client can fix become `BadRequest`; transient ones stay. */
export const unread = (failure: Unreadable | Unsupported | Overloaded): BadRequest | Overloaded =>
  failure._tag === "Overloaded" ? failure : new BadRequest({ message: failure.message })

/** Plain text and Markdown are quoted verbatim. */
const readMarkup = (extractor: Extractor, content: string, contentType: ContentType) =>
  Effect.mapBoth(extractor.fromMarkup(content, contentType), {
    onFailure: unread,
    onSuccess: (extracted) => contentType === "text/html" ? extracted : { ...extracted, text: content }
  })

export function* textDraft(item: TextItem): Generator<void, ItemDraft> {
  const contentType = item.content_type ?? "text/plain"
  return {
    kind: "custom",
    external_id: item.external_id ?? null,
    payload: null,
    size: yield* byteLength(item.text),
    timestamp: item.timestamp ?? null,
    ends_at: null,
    metadata: item.metadata ?? {},
    *sent() {
      return {
        content_type: contentType,
        form: "text",
        metadata: item.metadata ?? {},
        text: item.text,
        title: item.title ?? null,
        url: item.url ?? null
      }
    },
    extract: (extractor) =>
      Effect.map(readMarkup(extractor, item.text, contentType), (extracted) => ({
        title: item.title ?? extracted.title,
        url: item.url ?? null,
        ...credited(extracted),
        // Store what can be parsed back to the same value.
        ...(contentType === "text/html" ? {} : { text: item.text })
      }))
  }
}

const moment = (value: Schema.Json | undefined): Date | null =>
  typeof value === "string" && dateTimeFault(value) === undefined ? toDate(value) : null

/** A calendar event has the time at which it takes place, not at which it was created. */
export const period = (payload: Payload, timestamp: Date | null): Pick<ItemDraft, "timestamp" | "ends_at"> => {
  const start = payload["kind"] === "calendar" ? moment(payload["start"]) : null
  return start === null ? { timestamp, ends_at: null } : { timestamp: start, ends_at: moment(payload["end"]) }
}

export const typedDraft = (kinds: KindCatalogue) =>
  function*(item: TypedItem): Generator<void, ItemDraft> {
    const payload = yield* jsonText(item.payload)
    return {
      kind: String(item.payload["kind"]),
      external_id: item.external_id,
      payload,
      size: yield* byteLength(payload),
      ...period(item.payload, item.timestamp),
      metadata: item.metadata ?? {},
      *sent() {
        return { form: "typed", metadata: item.metadata ?? {}, payload: item.payload }
      },
      extract: (extractor) => readPayload(item.payload, kinds, extractor)
    }
  }

export const readPayload = Effect.fnUntraced(function*(payload: Payload, kinds: KindCatalogue, extractor: Extractor) {
  const { title, url, head, body, rest } = payloadText(payload, kinds)
  const extracted = body === null ? NO_BODY : yield* readMarkup(extractor, body.content, body.contentType)
  // The author of a mail is its sender, not that of the HTML page in it.
  const said = credited(payload["kind"] === "email" ? { title: null, text: extracted.text } : extracted)
  return {
    title: title ?? extracted.title,
    url,
    text: paragraphs([head, said.text, rest]),
    metadata: said.metadata
  }
})

const NO_BODY: Extracted = { title: null, text: "" }

const MAX_TITLE = 2_000

/** The length of the longest title that a client may set; derived ones are cut to it. */
const clipped = (title: string): string =>
  title.length <= MAX_TITLE ? title : Array.from(title.slice(0, 2 * MAX_TITLE)).slice(0, MAX_TITLE).join("")

interface Circumstances {
  readonly connector: Pick<Connector, "metadata">
  readonly extractor: Extractor
  /** The cap for the size of one document; null means uncapped. */
  readonly maximum: number | null
  readonly now: number
  readonly slices: Slices
}

function* chunked(text: string): Generator<void, ReadonlyArray<string>> {
  const chunks: Array<string> = []
  for (const chunk of chunksOf(toStorable(text))) {
    chunks.push(chunk)
    yield
  }
  return chunks
}

function* admissionOf(
  draft: ItemDraft,
  { connector, now }: Circumstances,
  read: { readonly reading: ExtractedItem; readonly fingerprint: string } | null
): Generator<void, Admission> {
  const { metadata, text, title, url }: ExtractedItem = read?.reading ?? { ...NO_BODY, url: null }
  return {
    external_id: draft.external_id ?? uuid7(now),
    document_id: DocumentId.make(uuid7(now)),
    event_id: EventId.make(uuid7(now)),
    kind: draft.kind,
    title: title === null ? null : clipped(toStorable(title)),
    url,
    size: draft.size,
    chunks: yield* chunked(text),
    payload: draft.payload,
    timestamp: draft.timestamp,
    ends_at: draft.ends_at,
    // Spread instead of assignment, so that any text is an ordinary key, including `__proto__`.
    metadata: { ...metadata, ...connector.metadata, ...draft.metadata },
    fingerprint: read?.fingerprint ?? "",
    oversized: read === null
  }
}

function* completed(
  draft: ItemDraft,
  circumstances: Circumstances,
  reading: ExtractedItem
): Generator<void, Admission> {
  yield
  const sent = yield* fingerprint(yield* draft.sent(), draft.size)
  yield
  return yield* admissionOf(draft, circumstances, { reading, fingerprint: sent })
}

/** The text of an item over the cap is not extracted. */
export const toAdmission = (
  draft: ItemDraft,
  circumstances: Circumstances
): Effect.Effect<Admission, BadRequest | Overloaded> => {
  const { extractor, maximum, slices } = circumstances
  return maximum !== null && draft.size > maximum
    ? slices(admissionOf(draft, circumstances, null))
    : Effect.flatMap(draft.extract(extractor), (reading) => slices(completed(draft, circumstances, reading)))
}
