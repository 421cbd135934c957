/** Documents and their events in memory. */
import { isFrom } from "@tributary/core/model/Document"
import { ConnectionId, type WorkspaceId } from "@tributary/core/model/Id"
import { followed } from "@tributary/core/ports/admission"
import {
  DocumentStore,
  type DocumentVersion,
  type IndexedDocument,
  type Passage,
  type PassageRef,
  type Selection
} from "@tributary/core/ports/DocumentStore"
import { purgedSeq } from "@tributary/core/ports/KnowledgeStore"
import { Clock, Effect, Layer, Option, Struct } from "effect"
import { admitItem, removeVersion } from "./internal/admit.ts"
import { browsed, matching } from "./internal/browsing.ts"
import { copied } from "./internal/copied.ts"
import { DocumentTable, isDeletion, type Version } from "./internal/DocumentTable.ts"
import { byCodePoint } from "./internal/Ordered.ts"
import { State, type WorkspaceRow } from "./internal/State.ts"

const indexed = ({ change_seq, chunks, record }: Version): IndexedDocument => ({
  ...copied(record),
  change_seq,
  chunks: [...chunks]
})

const content = (version: Version | undefined) =>
  Option.map(Option.fromUndefinedOr(version), (version) => ({ ...indexed(version), payload: version.payload }))

/** A version that was replaced meanwhile is absent. */
const versionOf = (table: DocumentTable, { change_seq, document_id }: DocumentVersion): Version | undefined => {
  const version = table.find(document_id)
  return version?.change_seq === change_seq ? version : undefined
}

/** Removes the marks as well. */
const takeMarked = (
  { connections }: WorkspaceRow,
  { connector_id, gone, resource }: Extract<Selection, { readonly gone: unknown }>
): ReadonlyArray<string> => {
  const marked = connections.get(ConnectionId.make(connector_id))?.gone.get(resource)
  return gone.filter((externalId) => marked?.delete(externalId))
}

const selected = (workspace: WorkspaceRow, selection: Selection): ReadonlyArray<Version> => {
  const table = workspace.documents
  if ("document_id" in selection) return [selection.document_id].flatMap((id) => table.find(id) ?? [])
  if ("versions" in selection) return selection.versions.flatMap((version) => versionOf(table, version) ?? [])
  if ("first" in selection) {
    const { connector_id, first, until } = selection
    return table.ofConnector(connector_id).where(({ change_seq }) => change_seq <= until, first)
  }
  const { connector_id } = selection
  const external_ids = "gone" in selection ? takeMarked(workspace, selection) : selection.external_ids
  return [...new Set(external_ids)].flatMap((externalId) => table.findByExternalId(connector_id, externalId) ?? [])
}

/** Empty if the text has changed since, or never had such a chunk. */
const passage = (table: DocumentTable, ref: PassageRef, withPayload: boolean): ReadonlyArray<Passage> => {
  const version = versionOf(table, ref)
  if (version === undefined) return []
  const { chunks, payload, record } = version
  const text = ref.ordinal === 0 && chunks.length === 0 ? "" : chunks[ref.ordinal]
  if (text === undefined) return []
  const start = chunks.slice(0, ref.ordinal).reduce((length, chunk) => length + chunk.length, 0)
  return [{ ...ref, document: copied(record), text, start, payload: withPayload ? payload : null }]
}

/** In UTF-16 code units, which approximates bytes well enough for memory. */
const MAX_TEXT = 16 * 1024 * 1024

/** The rows up to the one with which their text exceeds the bound; always the first. */
const withinText = <Row>(
  rows: ReadonlyArray<Row>,
  chunksOf: (row: Row) => ReadonlyArray<string>
): ReadonlyArray<Row> => {
  let text = 0
  const past = rows.findIndex((row, index) => {
    for (const chunk of chunksOf(row)) text += chunk.length
    return index > 0 && text > MAX_TEXT
  })
  return past === -1 ? rows : rows.slice(0, past)
}

export const layer = Layer.effect(
  DocumentStore,
  Effect.gen(function*() {
    const { jobs, workspaces } = yield* State

    const tableOf = (workspaceId: WorkspaceId): DocumentTable =>
      workspaces.get(workspaceId)?.documents ?? new DocumentTable()

    return DocumentStore.of({
      admit: (workspaceId, origin, items, { caps, follow, now, fencingToken }) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const workspace = workspaces.get(workspaceId)
          if (!jobs.mayWrite(fencingToken, millis)) return null
          if (workspace?.connectors.get(origin.connector_id)?.is_active !== true) return null
          const waiting = workspace.documents.chunkSeq - (workspace.knowledge.snapshots.at(-1)?.chunk_seq ?? 0)
          const { isBehind, next } = followed(waiting, caps, follow)
          if (isBehind && items.length > 0) {
            jobs.enqueue(next, null)
            return "behind"
          }
          const before = workspace.documents.changeSeq
          const at = new Date(now)
          const verdicts = items.map((item) => admitItem(workspace.documents, origin, item, caps, at))
          if (workspace.documents.changeSeq > before) jobs.enqueue(next, null)
          return verdicts
        }),

      remove: (workspaceId, selection, now, follow, fencingToken) =>
        Effect.map(Clock.currentTimeMillis, (millis) => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined || !jobs.mayWrite(fencingToken, millis)) return []
          const versions = selected(workspace, selection)
          for (const version of versions) removeVersion(workspace.documents, version, now)
          if (versions.length > 0) jobs.enqueue(follow, null)
          return versions.map(({ record }) => Struct.pick(record, ["document_id", "external_id"]))
        }),

      find: (workspaceId, documentId) => Effect.sync(() => content(tableOf(workspaceId).find(documentId))),

      findByExternalId: (workspaceId, connectorId, externalId) =>
        Effect.sync(() => content(tableOf(workspaceId).findByExternalId(connectorId, externalId))),

      sizes: (workspaceId, connectorId, externalIds) =>
        Effect.sync(() => {
          const table = tableOf(workspaceId)
          const found = externalIds.flatMap((id) => table.findByExternalId(connectorId, id) ?? [])
          return new Map(found.map(({ record: { external_id, size } }) => [external_id, size]))
        }),

      list: (workspaceId, connectorId, { after, externalId, limit }) =>
        Effect.sync(() => {
          const table = tableOf(workspaceId)
          const isPast = ({ record }: Version) => after !== null && record.document_id >= after
          const versions = externalId === null
            ? table.ofConnector(connectorId).descending(limit, isPast)
            : [externalId].flatMap((id) => table.findByExternalId(connectorId, id) ?? []).filter((only) =>
              !isPast(only)
            )
          return versions.slice(0, limit).map(({ record }) => copied(record))
        }),

      browse: (workspaceId, filter, { after, limit, order }) =>
        Effect.sync(() =>
          browsed(tableOf(workspaceId).all, filter, order, after, limit).map(({ record }) => copied(record))
        ),

      matching: (workspaceId, filter, limit) =>
        Effect.sync(() =>
          [...matching(tableOf(workspaceId).all, filter, limit)]
            .map(({ change_seq, record: { document_id, source } }) => ({ document_id, change_seq, source }))
        ),

      countMatching: (workspaceId, filter, limit) =>
        Effect.sync(() => [...matching(tableOf(workspaceId).all, filter, limit)].length),

      externalIds: (workspaceId, connectorId, { after, limit, prefix }) =>
        Effect.sync(() => {
          const isPast = ({ record: { external_id } }: Version) =>
            after === null ? byCodePoint(external_id, prefix) >= 0 : byCodePoint(external_id, after) > 0
          return tableOf(workspaceId).namesOf(connectorId).ascending(limit, isPast)
            .filter(({ record }) => record.external_id.startsWith(prefix))
            .map(({ record }) => copied(Struct.pick(record, ["external_id", "timestamp", "ends_at"])))
        }),

      count: (workspaceId, connectorId, { except, prefix }) =>
        Effect.sync(() => {
          const isOf = ({ record: { external_id } }: Version) =>
            external_id.startsWith(prefix) && !except.some((other) => external_id.startsWith(other))
          const names = tableOf(workspaceId).namesOf(connectorId)
          return names.ascending(Infinity, ({ record }) => byCodePoint(record.external_id, prefix) >= 0, isOf).length
        }),

      changes: (workspaceId, since, limit) =>
        Effect.sync(() => {
          const changes = tableOf(workspaceId).changes.ascending(limit, ({ change_seq }) => change_seq > since)
          return withinText(changes, (change) => isDeletion(change) ? [] : change.chunks).map((change) => {
            const document = isDeletion(change) ? null : indexed(change)
            const { document_id } = isDeletion(change) ? change : change.record
            return { change_seq: change.change_seq, document_id, document }
          })
        }),

      scan: (workspaceId, after, limit) =>
        Effect.sync(() => {
          const isPast = ({ record }: Version) => {
            if (after === null) return true
            const distance = record.timestamp.getTime() - after.timestamp.getTime()
            return distance > 0 || (distance === 0 && record.document_id > after.document_id)
          }
          return withinText(tableOf(workspaceId).byTime.ascending(limit, isPast), ({ chunks }) => chunks).map(indexed)
        }),

      passages: (workspaceId, refs, withPayload) =>
        Effect.sync(() => {
          const table = tableOf(workspaceId)
          return refs.flatMap((ref) => passage(table, ref, withPayload))
        }),

      meters: (workspaceId) => Effect.sync(() => tableOf(workspaceId).meters),

      events: (workspaceId, { kind, limit, since, source }) =>
        Effect.sync(() =>
          tableOf(workspaceId).events.ascending(
            limit,
            ({ event_seq }) => event_seq > since,
            (event) => (source === null || isFrom(event.source, source)) && (kind === null || event.kind === kind)
          ).map(copied)
        ),

      eventsOf: (workspaceId, documentId, { limit, since }) =>
        Effect.sync(() =>
          tableOf(workspaceId).events.ascending(
            limit,
            ({ event_seq }) => event_seq > since,
            ({ document_id }) => document_id === documentId
          ).map(copied)
        ),

      pruneTombstones: Effect.sync(() => {
        let pruned = 0
        for (const { documents, knowledge: { snapshots } } of workspaces.values()) {
          if (snapshots.length > 0) {
            pruned += documents.pruneDeletions(Math.min(...snapshots.map(purgedSeq)))
          }
        }
        return pruned
      }),

      pruneEvents: (before) =>
        Effect.sync(() => {
          let pruned = 0
          for (const { documents: { events } } of workspaces.values()) {
            const old = events.where(({ created_at }) => created_at < before)
            for (const event of old) events.remove(event)
            pruned += old.length
          }
          return pruned
        })
    })
  })
)
