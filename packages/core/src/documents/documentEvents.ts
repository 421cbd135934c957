/** The events of a workspace: listed, and followed as they come. */
import { Effect, Option, References, Schema, Stream, Struct } from "effect"
import { paged } from "../internal/paged.ts"
import { cursorOf } from "../model/Cursor.ts"
import { type Event, isFrom } from "../model/Document.ts"
import { DocumentId, parseId, type WorkspaceId } from "../model/Id.ts"
import type { PageRequest } from "../model/Page.ts"
import { isStorable } from "../model/Text.ts"
import { isShown, type TokenFilter } from "../model/Token.ts"
import { CurrentTokenFilter } from "../people/CurrentTokenFilter.ts"
import { DocumentStore, type EventRecord } from "../ports/DocumentStore.ts"
import type { Stored } from "../ports/Storage.ts"
import { metadataLength } from "./metadataLength.ts"
import { selectionWarnings } from "./selectionWarnings.ts"
import { eventsAfter, newestEvent } from "./watchEvents.ts"

/** Null matches everything. */
export interface EventFilter {
  readonly source: string | null
  readonly kind: string | null
  /** A malformed id matches nothing. */
  readonly document_id?: string | null
}

/** An event, and the number from which to resume after it. */
export interface NumberedEvent {
  readonly seq: number
  readonly event: Event
}

const cursor = cursorOf("events", Schema.Int)

const withoutSeq = (event: EventRecord): Event => Struct.omit(event, ["event_seq"])

const matches =
  ({ document_id = null, kind, source }: EventFilter, tokenFilter: TokenFilter | null) => (event: Event): boolean =>
    (source === null || isFrom(event.source, source)) && (kind === null || event.kind === kind) &&
    (document_id === null || event.document_id === document_id.toLowerCase()) &&
    (tokenFilter === null || isShown(tokenFilter, event))

/** The operations of `Documents` on events. */
export const documentEvents = Effect.gen(function*() {
  const store = yield* DocumentStore
  const warningsOf = yield* selectionWarnings

  /** What is read may be more than what matches. */
  const read = (
    workspaceId: WorkspaceId,
    { document_id = null, kind, source }: EventFilter,
    page: { readonly since: number; readonly limit: number }
  ): Stored<ReadonlyArray<EventRecord>> => {
    if (!isStorable(source ?? "") || !isStorable(kind ?? "")) return Effect.succeed([])
    if (document_id === null) return store.events(workspaceId, { ...page, source, kind })
    return Option.match(parseId(DocumentId)(document_id), {
      onNone: () => Effect.succeed([]),
      onSome: (id) => store.eventsOf(workspaceId, id, page)
    })
  }

  const readAny = (workspaceId: WorkspaceId) => (since: number, limit: number) =>
    store.events(workspaceId, { since, source: null, kind: null, limit })

  const events = Effect.fnUntraced(function*(workspaceId: WorkspaceId, filter: EventFilter, page: PageRequest) {
    const { items, next } = yield* paged(
      cursor,
      page,
      (event: EventRecord) => event.event_seq,
      (after, limit) => read(workspaceId, filter, { since: after ?? 0, limit }),
      matches(filter, yield* CurrentTokenFilter),
      metadataLength
    )
    // A reader of new events is at the end of the list most of the time.
    const isEmpty = page.cursor === null && items.length === 0 && next === null
    return { items: items.map(withoutSeq), next, warnings: isEmpty ? yield* warningsOf(workspaceId, filter) : [] }
  })

  const latestEvents = Effect.fnUntraced(function*(workspaceId: WorkspaceId, limit: number) {
    const newest = yield* newestEvent(readAny(workspaceId))
    const latest = yield* readAny(workspaceId)(Math.max(0, newest - limit), limit)
    return latest.map(withoutSeq).reverse()
  })

  const watch = Effect.fnUntraced(function*(workspaceId: WorkspaceId, filter: EventFilter, since: number | null) {
    const read = readAny(workspaceId)
    const resumes = since !== null && (yield* read(since, 1)).length > 0
    // An event between the two reads is after `since`, too.
    const start = resumes ? since : Math.min(since ?? Infinity, yield* newestEvent(read))
    const isWanted = matches(filter, yield* CurrentTokenFilter)
    return eventsAfter(start, read, isWanted).pipe(
      Stream.map((batch) => batch.map((event) => ({ seq: event.event_seq, event: withoutSeq(event) }))),
      // It lasts as long as somebody listens, and is in no trace of a request.
      Stream.provideService(References.TracerEnabled, false)
    )
  })

  return { events, latestEvents, watch }
})
