/** Settings, snapshots and segments in SQLite. */
import { KnownSegments } from "@tributary/core/KnownSegments"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { type Head, KnowledgeStore, maskedSince, purgedSeq } from "@tributary/core/ports/KnowledgeStore"
import { Clock, Effect, Layer, Option } from "effect"
import { Database } from "./internal/Database.ts"
import { isOpen } from "./internal/isOpen.ts"
import { headOf, type StoredHead } from "./writes/snapshots.ts"

/** Segments are read and written in slices, so that other work gets its turn. */
const SLICE_BYTES = 1024 * 1024

const joined = (slices: ReadonlyArray<Uint8Array>): Uint8Array => {
  const bytes = new Uint8Array(slices.reduce((length, slice) => length + slice.length, 0))
  let at = 0
  for (const slice of slices) {
    bytes.set(slice, at)
    at += slice.length
  }
  return bytes
}

const toHead = (head: StoredHead): Head => ({ ...head, settings: head.settings ?? DEFAULT_SETTINGS })

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function*() {
    const { announcing, read, readLong, write } = yield* Database
    const lists = new KnownSegments()

    return KnowledgeStore.of({
      head: (workspaceId) => read((db) => toHead(db.transaction("BEGIN", () => headOf(db, workspaceId, lists)))),

      countPending: (workspaceId, since) => readLong("countPending", workspaceId, since),

      configure: (workspaceId, settings, rebuild) =>
        announcing(Effect.map(write("configure", workspaceId, settings, rebuild), toHead)),

      nextRun: (workspaceId) => write("nextRun", workspaceId),

      putSegment: Effect.fnUntraced(function*(workspaceId, segmentId, bytes) {
        const last = Math.floor(Math.max(bytes.length - 1, 0) / SLICE_BYTES)
        for (let slice = last; slice >= 0; slice--) {
          const part = new Uint8Array(bytes.subarray(slice * SLICE_BYTES, (slice + 1) * SLICE_BYTES))
          yield* write("putSlice", workspaceId, segmentId, slice, last, part)
        }
      }),

      getSegment: Effect.fnUntraced(function*(workspaceId, segmentId) {
        const parts: Array<Uint8Array> = []
        for (let slice = 0;; slice++) {
          const found = yield* read((db) =>
            isOpen(db, workspaceId)
              ? db.get<{ readonly last: number; readonly bytes: Uint8Array }>(
                "SELECT last, bytes FROM segments WHERE workspace_id = ? AND segment_id = ? AND slice = ?",
                workspaceId,
                segmentId,
                slice
              )
              : undefined
          )
          // Dropped in the meantime, or never stored.
          if (found === undefined) return Option.none()
          parts.push(found.bytes)
          if (found.last === slice) return Option.some(parts.length === 1 ? found.bytes : joined(parts))
          yield* Effect.yieldNow
        }
      }),

      publish: (workspaceId, snapshot, options) =>
        Effect.flatMap(Clock.currentTimeMillis, (millis) => {
          const stored = { ...snapshot, purged_seq: purgedSeq(snapshot), hiding_since: maskedSince(snapshot) }
          return write("publish", workspaceId, stored, options, millis)
        }),

      dropOldSnapshots: (workspaceId) => write("dropOldSnapshots", workspaceId),

      withMaskedText: (before, { after, limit }) =>
        read((db) =>
          db.all<{ readonly workspace_id: WorkspaceId }>(
            `SELECT s.workspace_id FROM snapshots s JOIN workspaces w ON w.workspace_id = s.workspace_id
              WHERE s.hiding_since < ? AND s.workspace_id > ? AND s.position = (
                SELECT max(position) FROM snapshots p WHERE p.workspace_id = s.workspace_id)
              ORDER BY s.workspace_id LIMIT ?`,
            before,
            after ?? "",
            limit
          ).map(({ workspace_id }) => workspace_id)
        ),

      dropSegments: (workspaceId, segmentIds) => write("dropSegments", workspaceId, segmentIds)
    })
  })
)
