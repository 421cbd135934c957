/** Settings, snapshots and segments in SQLite. */
import { KnownSegments } from "@tributary/core/KnownSegments"
import type { WorkspaceId } from "@tributary/core/model/Id"
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import { type Head, KnowledgeStore, maskedSince, purgedSeq } from "@tributary/core/ports/KnowledgeStore"
import { getSlices, putSlices } from "@tributary/core/ports/segmentSlices"
import { Effect, Layer } from "effect"
import { Database } from "./internal/Database.ts"
import { isOpen } from "./internal/isOpen.ts"
import { timed } from "./internal/timed.ts"
import { headOf, type StoredHead } from "./writes/snapshots.ts"

const toHead = (head: StoredHead): Head => ({ ...head, settings: head.settings ?? DEFAULT_SETTINGS })

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function*() {
    const { announcing, read, readLong, write } = yield* Database
    const lists = new KnownSegments()

    return KnowledgeStore.of({
      head: (workspaceId) => read((db) => toHead(headOf(db, workspaceId, lists))),

      countPending: (workspaceId, since) => readLong("countPending", workspaceId, since),

      configure: (workspaceId, settings, rebuild) =>
        announcing(Effect.map(write("configure", workspaceId, settings, rebuild), toHead)),

      nextRun: (workspaceId) => write("nextRun", workspaceId),

      // A part is copied, because the whole buffer of a view would go to the thread that writes.
      putSegment: (workspaceId, segmentId, bytes) =>
        putSlices(
          bytes,
          (slice, last, part) => write("putSlice", workspaceId, segmentId, slice, last, new Uint8Array(part))
        ),

      getSegment: (workspaceId, segmentId) =>
        getSlices((slice) =>
          read((db) => {
            const row = isOpen(db, workspaceId)
              ? db.get<{ readonly last: number; readonly bytes: Uint8Array }>(
                "SELECT last, bytes FROM segments WHERE workspace_id = ? AND segment_id = ? AND slice = ?",
                workspaceId,
                segmentId,
                slice
              )
              : undefined
            return row && { bytes: row.bytes, isLast: row.last === slice }
          })
        ),

      publish: (workspaceId, snapshot, options) =>
        timed(options.fencingToken, (fencingToken) => {
          const stored = { ...snapshot, purged_seq: purgedSeq(snapshot), hiding_since: maskedSince(snapshot) }
          return write("publish", workspaceId, stored, { ...options, fencingToken })
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
