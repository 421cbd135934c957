/** Turns an item, in any of its forms, into an admission for the store. */
import { chunksOf, cutChunks } from "@tributary/retrieval"
import { Duration, Effect, Exit, type Schema } from "effect"
import { byteLength } from "../internal/longText.ts"
import { jsonText } from "../internal/jsonParts.ts"
import { inSlices } from "../scheduling/Slices.ts"
import { labelledStringLines, labelledStrings } from "../labelledStrings.ts"
import type { Connector } from "../model/Connector.ts"
import { BadRequest, type Overloaded } from "../model/Error.ts"
import type { DocumentId, EventId } from "../model/Id.ts"
import { type ContentType, type JsonItem, MAX_TITLE, type TextItem, type TypedItem } from "../model/Ingest.ts"
import type { Payload } from "../model/Kind.ts"
import type { KindCatalogue } from "../model/KindCatalogue.ts"
import { toStorable } from "../model/Text.ts"
import { dateTimeFault, toDate } from "../model/Timestamp.ts"
import type { Admission } from "../ports/DocumentStore.ts"
import type { Extracted, TextExtractor, Unreadable, Unsupported } from "../ports/TextExtractor.ts"
import { fingerprint, SMALL } from "./fingerprint.ts"
import { payloadText } from "./payloadText.ts"
import { paragraphs, provenance, textWithAuthor } from "./provenance.ts"
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
  /** Distinguishes the item from a stored one. Pauses at each `yield`. */
  readonly fingerprint: () => Generator<void, string>
  /** `BadRequest`: it cannot be read. An item that needs no extractor is read when this returns. */
  readonly extract: (extractor: Extractor) => Effect.Effect<ExtractedItem, BadRequest | Overloaded>
}

export interface ExtractedItem {
  readonly title: string | null
  readonly url: string | null
  readonly text: string
  /** Metadata from the item's own content, which the client's metadata overrides. */
  readonly metadata?: Readonly<Record<string, string>>
}

const NO_METADATA: Readonly<Record<string, string>> = {}

const jsonItem = (text: string): ExtractedItem => ({ title: null, url: null, text })

export function* jsonDraft(item: JsonItem): Generator<void, ItemDraft> {
  const { data, external_id = null, metadata, timestamp = null } = item
  const payload = yield* jsonText(data)
  const size = yield* byteLength(payload)
  const sent = { data, form: "json", metadata: metadata ?? NO_METADATA }
  return {
    kind: "custom",
    external_id,
    payload,
    size,
    timestamp,
    ends_at: null,
    metadata: sent.metadata,
    fingerprint: () => fingerprint(sent, size, { name: "data", json: payload }),
    extract: () =>
      size <= SMALL
        ? Effect.succeed(jsonItem(labelledStrings(data)))
        : Effect.map(inSlices(labelledStringLines(data)), jsonItem)
  }
}

/** Extraction errors that the client can fix become `BadRequest`; transient ones stay. */
export const toBadRequest = (failure: Unreadable | Unsupported | Overloaded): BadRequest | Overloaded =>
  failure._tag === "Overloaded" ? failure : new BadRequest({ message: failure.message })

/** Plain text and Markdown are quoted verbatim. */
const readMarkup = (extractor: Extractor, content: string, contentType: ContentType) =>
  Effect.mapBothEager(extractor.fromMarkup(content, contentType), {
    onFailure: toBadRequest,
    onSuccess: (extracted) => contentType === "text/html" ? extracted : { ...extracted, text: content }
  })

export function* textDraft(item: TextItem): Generator<void, ItemDraft> {
  const { external_id = null, text, timestamp = null } = item
  const contentType = item.content_type ?? "text/plain"
  const size = yield* byteLength(text)
  // In the order of their names.
  const sent = {
    content_type: contentType,
    form: "text",
    metadata: item.metadata ?? NO_METADATA,
    text,
    title: item.title ?? null,
    url: item.url ?? null
  }
  return {
    kind: "custom",
    external_id,
    payload: null,
    size,
    timestamp,
    ends_at: null,
    metadata: sent.metadata,
    fingerprint: () => fingerprint(sent, size),
    extract: (extractor) =>
      Effect.mapEager(readMarkup(extractor, text, contentType), (extracted) => ({
        title: sent.title ?? extracted.title,
        url: sent.url,
        // Store what can be parsed back to the same value.
        text: contentType === "text/html" ? textWithAuthor(extracted) : text,
        metadata: provenance(extracted)
      }))
  }
}

const moment = (value: Schema.Json | undefined): Date | null =>
  typeof value === "string" && dateTimeFault(value) === undefined ? toDate(value) : null

/**
 * A calendar event has the time at which it takes place, not at which it was created. An end before its start, as of a
 * mistyped year, is no end.
 */
export const period = (payload: Payload, timestamp: Date | null): Pick<ItemDraft, "timestamp" | "ends_at"> => {
  const start = payload["kind"] === "calendar" ? moment(payload["start"]) : null
  if (start === null) return { timestamp, ends_at: null }
  const end = moment(payload["end"])
  return { timestamp: start, ends_at: end !== null && end >= start ? end : null }
}

export const typedDraft = (kinds: KindCatalogue) =>
  function*(item: TypedItem): Generator<void, ItemDraft> {
    const payload = yield* jsonText(item.payload)
    const size = yield* byteLength(payload)
    const sent = { form: "typed", metadata: item.metadata ?? NO_METADATA, payload: item.payload }
    return {
      kind: String(item.payload["kind"]),
      external_id: item.external_id,
      payload,
      size,
      ...period(item.payload, item.timestamp),
      metadata: sent.metadata,
      fingerprint: () => fingerprint(sent, size, { name: "payload", json: payload }),
      extract: (extractor) => readPayload(item.payload, kinds, extractor)
    }
  }

const NO_BODY: Extracted = { title: null, text: "" }

export const readPayload = (payload: Payload, kinds: KindCatalogue, extractor: Extractor) => {
  const { title, url, head, body, rest } = payloadText(payload, kinds)
  const reading = body === null ? Effect.succeed(NO_BODY) : readMarkup(extractor, body.content, body.contentType)
  return Effect.mapEager(reading, (extracted): ExtractedItem => {
    // The author of a mail is its sender, not that of the HTML page in it.
    const said = payload["kind"] === "email" ? { title: null, text: extracted.text } : extracted
    return {
      title: title ?? extracted.title,
      url,
      text: paragraphs([head, textWithAuthor(said), rest]),
      metadata: provenance(said)
    }
  })
}

/** Derived titles are cut to the longest that a client may set. */
const clipped = (title: string): string =>
  title.length <= MAX_TITLE ? title : Array.from(title.slice(0, 2 * MAX_TITLE)).slice(0, MAX_TITLE).join("")

interface Circumstances {
  readonly connector: Pick<Connector, "metadata">
  /** When the items arrived. */
  readonly now: number
}

function* chunked(text: string): Generator<void, ReadonlyArray<string>> {
  if (text.length <= SMALL) return cutChunks(toStorable(text))
  const chunks: Array<string> = []
  for (const chunk of chunksOf(toStorable(text))) {
    chunks.push(chunk)
    yield
  }
  return chunks
}

const NO_CONTENT: ExtractedItem = { ...NO_BODY, url: null }

/** What the store checks and keeps of an item. `content` is null if the item is over the cap. Pauses at each `yield`. */
export function* admissionOf(
  draft: ItemDraft,
  content: ExtractedItem | null,
  { connector, now }: Circumstances
): Generator<void, Admission> {
  const { metadata, text, title, url } = content ?? NO_CONTENT
  return {
    external_id: draft.external_id ?? uuid7(now),
    document_id: uuid7<DocumentId>(now),
    event_id: uuid7<EventId>(now),
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
    fingerprint: content === null ? "" : yield* draft.fingerprint(),
    oversized: content === null
  }
}

/** The content of an item; null for one over the cap (null: uncapped), whose text is not extracted. */
export const contentOf = (
  draft: ItemDraft,
  extractor: Extractor,
  maximum: number | null
): Effect.Effect<ExtractedItem | null, BadRequest | Overloaded> =>
  maximum !== null && draft.size > maximum ? OVERSIZED : inTime(draft.extract(extractor))

const OVERSIZED = Effect.succeed(null)

/** An extractor of the host may never end. */
const EXTRACTION_TIMEOUT = Duration.minutes(10)

const tooSlow = () =>
  Effect.andThen(
    Effect.logWarning("an item is refused, because reading it did not end", {
      limit: Duration.format(EXTRACTION_TIMEOUT)
    }),
    Effect.fail(new BadRequest({ message: "The item takes too long to read." }))
  )

const inTime = <A, E>(reading: Effect.Effect<A, E>): Effect.Effect<A, E | BadRequest> =>
  Exit.isExit(reading) ? reading : Effect.timeoutOrElse(reading, { duration: EXTRACTION_TIMEOUT, orElse: tooSlow })
