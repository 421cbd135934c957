/** Settings, snapshots and segments in memory. */
import { DEFAULT_SETTINGS } from "@tributary/core/model/KnowledgeSettings"
import {
  type Head,
  KnowledgeStore,
  maskedSince,
  NO_HEAD,
  purgedSeq,
  type Snapshot
} from "@tributary/core/ports/KnowledgeStore"
import { Clock, Effect, Layer } from "effect"
import { copied, found, frozen } from "./internal/copied.ts"
import { byText } from "./internal/Ordered.ts"
import { type Knowledge, State, type WorkspaceRow } from "./internal/State.ts"

/** Its segments may mask thousands of documents. */
const shared = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  settings: frozen(snapshot.settings),
  segments: frozen(snapshot.segments),
  built_at: new Date(snapshot.built_at),
  watermark: snapshot.watermark && new Date(snapshot.watermark)
})

const headOf = ({ documents, knowledge }: WorkspaceRow): Head => {
  const snapshot = knowledge.snapshots.at(-1) ?? null
  return {
    settings: frozen(knowledge.settings ?? DEFAULT_SETTINGS),
    generation: knowledge.generation,
    change_seq: documents.changeSeq,
    chunk_seq: documents.chunkSeq,
    snapshot: snapshot === null ? null : shared(snapshot)
  }
}

const namedBy = (snapshots: ReadonlyArray<Snapshot>): ReadonlySet<string> =>
  new Set(snapshots.flatMap(({ segments }) => segments.map(({ segment_id }) => segment_id)))

/** The `candidates` that no snapshot names. */
const dropUnnamed = ({ segments, snapshots }: Knowledge, candidates: Iterable<string>): void => {
  const named = namedBy(snapshots)
  for (const segmentId of candidates) if (!named.has(segmentId)) segments.delete(segmentId)
}

export const layer = Layer.effect(
  KnowledgeStore,
  Effect.gen(function*() {
    const { jobs, workspaces, workspacesOf } = yield* State

    return KnowledgeStore.of({
      head: (workspaceId) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          return workspace === undefined ? copied(NO_HEAD) : headOf(workspace)
        }),

      countPending: (workspaceId, since) =>
        Effect.sync(() =>
          workspaces.get(workspaceId)?.documents.changes.countFrom(({ change_seq }) => change_seq > since) ?? 0
        ),

      configure: (workspaceId, settings, rebuild) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined) return copied(NO_HEAD)
          if (settings !== null) workspace.knowledge.settings = copied(settings)
          workspace.knowledge.generation++
          jobs.cancelAll(workspaceId, rebuild.created_at, rebuild)
          jobs.enqueue(rebuild, null)
          return headOf(workspace)
        }),

      nextRun: (workspaceId) =>
        Effect.sync(() => {
          const knowledge = workspaces.get(workspaceId)?.knowledge
          return knowledge === undefined ? 1 : ++knowledge.runs
        }),

      putSegment: (workspaceId, segmentId, bytes) =>
        Effect.sync(() => {
          workspaces.get(workspaceId)?.knowledge.segments.set(segmentId, copied(bytes))
        }),

      getSegment: (workspaceId, segmentId) =>
        Effect.sync(() => found(workspaces.get(workspaceId)?.knowledge.segments.get(segmentId))),

      publish: (workspaceId, snapshot, { keep, previous, replaces, fencingToken }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (!jobs.mayWrite(fencingToken, now)) return false
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined) return false
          const { documents, knowledge } = workspace
          const published = knowledge.snapshots.at(-1) ?? null
          if ((published?.snapshot_id ?? null) !== previous) return false
          if (snapshot.generation !== knowledge.generation) return false
          if (published !== null && snapshot.change_seq < published.change_seq) return false
          if (!snapshot.segments.every(({ segment_id }) => knowledge.segments.has(segment_id))) return false
          const others = (replaces ? knowledge.snapshots.slice(0, -1) : knowledge.snapshots)
            .filter((other) => purgedSeq(other) >= documents.lastDeletion(snapshot.change_seq))
          knowledge.snapshots = [...others, copied(snapshot)].slice(-Math.max(keep, 1))
          dropUnnamed(knowledge, knowledge.segments.keys())
          return true
        }),

      dropOldSnapshots: (workspaceId) =>
        Effect.sync(() => {
          const knowledge = workspaces.get(workspaceId)?.knowledge
          if (knowledge === undefined) return 0
          const old = knowledge.snapshots.slice(0, -1)
          knowledge.snapshots = knowledge.snapshots.slice(-1)
          // Not all unnamed segments: those of a running build are named only when it is published.
          dropUnnamed(knowledge, namedBy(old))
          return old.length
        }),

      withMaskedText: (before, { after, limit }) =>
        Effect.sync(() => {
          const hasMaskedText = ({ knowledge: { snapshots } }: WorkspaceRow) => {
            const published = snapshots.at(-1)
            const since = published === undefined ? null : maskedSince(published)
            return since !== null && since < before
          }
          const isAfter = ({ record }: WorkspaceRow) => after === null || byText(record.workspace_id, after) > 0
          return workspacesOf(null).ascending(limit, isAfter, hasMaskedText).map(({ record }) => record.workspace_id)
        }),

      dropSegments: (workspaceId, segmentIds) =>
        Effect.sync(() => {
          const knowledge = workspaces.get(workspaceId)?.knowledge
          if (knowledge !== undefined) dropUnnamed(knowledge, segmentIds)
        })
    })
  })
)
