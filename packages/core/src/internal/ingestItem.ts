/** From an item as it was sent, in one of three forms, to an admission that a store can judge. */
import { cutChunks } from "@tributary/retrieval"
import { Effect, type Schema } from "effect"
import { leafText } from "../leafText.ts"
import type { Connector } from "../model/Connector.ts"
import { DocumentId, EventId } from "../model/Id.ts"
import type { JsonItem, TextItem, TypedItem } from "../model/Ingest.ts"
import type { Payload } from "../model/Kind.ts"
import { toStorable } from "../model/Text.ts"
import { dateTimeFault, toDate } from "../model/Timestamp.ts"
import type { Admission } from "../ports/DocumentStore.ts"
import type { Extracted, TextExtractor } from "../ports/TextExtractor.ts"
import { fingerprint } from "./fingerprint.ts"
import { payloadText } from "./payloadText.ts"
import { uuid7 } from "./uuid7.ts"

type Markup = TextExtractor["Service"]["fromMarkup"]

/** An item of any form, with the work on its text still to be done. */
export interface Draft {
  readonly kind: string
  readonly external_id: string | null
  readonly payload: string | null
  /** What counts against the plan, as UTF-8. */
  readonly measured: string
  readonly timestamp: Date | null
  readonly ends_at: Date | null
  readonly metadata: Readonly<Record<string, string>>
  /** What makes the item differ from the one stored before. */
  readonly sent: Schema.JsonObject
  readonly extract: (markup: Markup) => Effect.Effect<Reading>
}

interface Reading extends Extracted {
  readonly url: string | null
}

export const jsonDraft = (item: JsonItem): Draft => {
  const payload = JSON.stringify(item.data)
  return {
    kind: "custom",
    external_id: item.external_id ?? null,
    payload,
    measured: payload,
    timestamp: item.timestamp ?? null,
    ends_at: null,
    metadata: item.metadata ?? {},
    sent: { form: "json", data: item.data, metadata: item.metadata ?? {} },
    extract: () => Effect.sync(() => ({ title: null, url: null, text: leafText(item.data) }))
  }
}

export const textDraft = (item: TextItem): Draft => {
  const contentType = item.content_type ?? "text/plain"
  return {
    kind: "custom",
    external_id: item.external_id ?? null,
    payload: null,
    measured: item.text,
    timestamp: item.timestamp ?? null,
    ends_at: null,
    metadata: item.metadata ?? {},
    sent: {
      form: "text",
      text: item.text,
      title: item.title ?? null,
      url: item.url ?? null,
      content_type: contentType,
      metadata: item.metadata ?? {}
    },
    extract: (markup) =>
      Effect.map(markup(item.text, contentType), ({ title, text }) => ({
        title: item.title ?? title,
        url: item.url ?? null,
        // Plain text and Markdown are quoted as they were written.
        text: contentType === "text/html" ? text : item.text
      }))
  }
}

const moment = (value: Schema.Json | undefined): Date | null =>
  typeof value === "string" && dateTimeFault(value) === undefined ? toDate(value) : null

/** A calendar event stands where it takes place, not where it was written down. */
const period = ({ payload, timestamp }: TypedItem): Pick<Draft, "timestamp" | "ends_at"> => {
  const start = payload["kind"] === "calendar" ? moment(payload["start"]) : null
  return start === null ? { timestamp, ends_at: null } : { timestamp: start, ends_at: moment(payload["end"]) }
}

export const typedDraft = (item: TypedItem): Draft => {
  const payload = JSON.stringify(item.payload)
  return {
    kind: String(item.payload["kind"]),
    external_id: item.external_id,
    payload,
    measured: payload,
    ...period(item),
    metadata: item.metadata ?? {},
    sent: { form: "typed", payload: item.payload, metadata: item.metadata ?? {} },
    extract: (markup) => readPayload(item.payload, markup)
  }
}

const readPayload = Effect.fnUntraced(function*(payload: Payload, markup: Markup) {
  const { title, url, head, body, rest } = payloadText(payload)
  const extracted = body === null ? NO_BODY : yield* markup(body.content, body.contentType)
  const content = body === null || body.contentType === "text/html" ? extracted.text : body.content
  return {
    title: title ?? extracted.title,
    url,
    text: [head, content, rest].filter((part) => part !== "").join("\n\n")
  }
})

const NO_BODY: Extracted = { title: null, text: "" }

const MAX_TITLE = 2_000

/** As long as the longest title that a client may give; derived ones know no bound of their own. */
const clipped = (title: string): string =>
  title.length <= MAX_TITLE ? title : Array.from(title.slice(0, 2 * MAX_TITLE)).slice(0, MAX_TITLE).join("")

const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** `maximum` caps the size of one document; null means uncapped. Text of an item beyond it is not even read. */
export const toAdmission = Effect.fnUntraced(function*(draft: Draft, { connector, extractor, maximum, now }: {
  readonly connector: Connector
  readonly extractor: TextExtractor["Service"]
  readonly maximum: number | null
  readonly now: number
}): Effect.fn.Return<Admission> {
  const size = byteLength(draft.measured)
  const oversized = maximum !== null && size > maximum
  const { title, url, text } = oversized ? { ...NO_BODY, url: null } : yield* draft.extract(extractor.fromMarkup)
  return {
    external_id: draft.external_id ?? uuid7(now),
    document_id: DocumentId.make(uuid7(now)),
    event_id: EventId.make(uuid7(now)),
    kind: draft.kind,
    title: title === null ? null : clipped(toStorable(title)),
    url,
    size,
    chunks: text === "" ? [] : cutChunks(toStorable(text)),
    payload: draft.payload,
    timestamp: draft.timestamp,
    ends_at: draft.ends_at,
    // Entries, not assignment: any text is an ordinary key, `__proto__` as well.
    metadata: Object.fromEntries([...Object.entries(connector.metadata), ...Object.entries(draft.metadata)]),
    fingerprint: oversized ? "" : yield* fingerprint(draft.sent),
    oversized
  }
})
