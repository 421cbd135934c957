/** Folds changes into the published snapshot. */
import { MAX_SEGMENT_CHUNKS } from "@tributary/retrieval"
import { Clock, Effect } from "effect"
import { operation } from "../internal/collectedTraces.ts"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { type FencingToken, JobStore } from "../ports/JobStore.ts"
import { KnowledgeStore, maskedTextOf, type Snapshot, type SnapshotSegment } from "../ports/KnowledgeStore.ts"
import { buildSegments } from "./segments/buildSegments.ts"
import { delayedRefreshJob, refreshJob } from "./contextJobs.ts"
import { ContextViews } from "./ContextViews.ts"
import { publishSnapshot } from "./publishSnapshot.ts"
import { isDue } from "./purge.ts"
import { compactionPlan, mergePlan } from "./segments/mergePlan.ts"
import { packConsecutive } from "./segments/packConsecutive.ts"
import { mergeParts } from "./segments/mergeParts.ts"
import { EVERYTHING, isServedFromDocuments, type Part, spanOfParts } from "./View.ts"

/** A stored segment is written again if more than this share of its documents is masked. */
const STALE_SHARE = 0.2

/** How many are purged at a time, so that other work runs in between. */
const PURGED_AT_ONCE = 4

/** What the plan needs of a part of the view. */
interface PartSummary {
  /** Null for a stored segment, which is read when it is merged. */
  readonly tail: Part | null
  readonly segment: SnapshotSegment
  readonly documents: number
  readonly latest: number
}

/** Since when the segment contains masked text: as the previous snapshot says, or from now on. */
const maskedTextIn = (previous: Snapshot | null, { masked, segment_id }: SnapshotSegment, now: number) => {
  if (masked.length === 0 || previous === null) return {}
  const before = previous.segments.find((segment) => segment.segment_id === segment_id)
  const earlier = before === undefined ? null : maskedTextOf(before)
  return { hiding: earlier ?? { since: now, after: previous.change_seq } }
}

const summaryOf = (part: Part, previous: Snapshot | null, now: number): PartSummary => {
  const { mask, segment, segment_id, span } = part
  const stored = {
    segment_id: segment_id ?? "",
    chunks: segment.chunkCount,
    bytes: segment.byteLength,
    masked: [...mask.documents()]
  }
  return {
    tail: segment_id === null ? part : null,
    segment: { ...stored, ...maskedTextIn(previous, stored, now), ...(span && { span }) },
    documents: segment.documentCount,
    latest: segment.latest
  }
}

const isStale = ({ documents, segment }: PartSummary): boolean => segment.masked.length > documents * STALE_SHARE

const isAlive = ({ documents, segment }: PartSummary): boolean => segment.masked.length < documents

const chunksOf = (group: ReadonlyArray<PartSummary>): number =>
  group.reduce((sum, { segment }) => sum + segment.chunks, 0)

/** Segments that have contained masked text for too long, the oldest first. */
const overdueOf = (segments: ReadonlyArray<SnapshotSegment>, now: number): ReadonlyArray<SnapshotSegment> =>
  segments
    .filter((segment) => {
      const masked = maskedTextOf(segment)
      return masked !== null && isDue(masked, now)
    })
    .toSorted((left, right) => maskedTextOf(left)!.since - maskedTextOf(right)!.since)

/** The plan of the next snapshot: each group becomes one segment. `hasChanged`: since the last one. */
const planOf = (all: ReadonlyArray<PartSummary>, hasChanged: boolean): ReadonlyArray<ReadonlyArray<PartSummary>> => {
  const alive = all.filter(isAlive)
  const units = [
    ...alive.filter(({ tail }) => tail === null).map((part) => [part]),
    ...packConsecutive(alive.filter(({ tail }) => tail !== null), ({ segment }) => segment.chunks)
  ]
  const merges = (hasChanged ? mergePlan : compactionPlan)(units.map(chunksOf), MAX_SEGMENT_CHUNKS)
  const merged = new Set(merges.flat())
  return [
    ...units.filter((_, position) => !merged.has(position)),
    ...merges.map((positions) => positions.flatMap((position) => units[position]!))
  ]
}

const canSettle = (segments: ReadonlyArray<SnapshotSegment>): boolean => {
  const sizes = segments.filter(({ vectors }) => vectors === undefined).map(({ chunks }) => chunks)
  return compactionPlan(sizes, MAX_SEGMENT_CHUNKS).length > 0
}

/** Does nothing if nothing changed, nothing must be purged or can be merged, or a rebuild is due anyway. */
const refreshAll = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  fencingToken: FencingToken
) {
  const jobs = yield* JobStore
  const knowledge = yield* KnowledgeStore
  const views = yield* ContextViews
  const { head, view } = yield* views.current(workspaceId)
  const { snapshot } = view
  const now = yield* Clock.currentTimeMillis
  if ((snapshot?.generation ?? 0) !== head.generation) return
  // Only servers of a later release can merge its segments: the attempt is repeated until one of them makes it.
  if (isServedFromDocuments(view)) return yield* new StorageUnavailable({ cause: "the context is of a later release" })
  const hasChanged = view.changeSeq > (snapshot?.change_seq ?? 0)
  const before = snapshot?.segments ?? []
  if (!hasChanged && overdueOf(before, now).length === 0 && !canSettle(before)) return

  const stored = yield* buildSegments(workspaceId)
  const summaries = yield* views.each(
    workspaceId,
    view,
    EVERYTHING,
    (parts) => Effect.sync(() => parts.map((part) => summaryOf(part, snapshot, now)))
  )
  const groups = planOf(summaries.flat(), hasChanged)
  const overdue = overdueOf(groups.flat().map(({ segment }) => segment), now)
  const purged = new Set(overdue.slice(0, PURGED_AT_ONCE))
  const isKept = (part: PartSummary) => part.tail === null && !isStale(part) && !purged.has(part.segment)
  const segmentOf = Effect.fnUntraced(function*(group: ReadonlyArray<PartSummary>) {
    const [first] = group
    if (group.length === 1 && first !== undefined && isKept(first)) return first.segment
    const parts = Effect.forEach(
      group,
      ({ segment, tail }) => tail === null ? views.part(workspaceId, view, segment.segment_id) : Effect.succeed(tail)
    )
    const bytes = yield* Effect.flatMap(parts, mergeParts)
    const segment_id = yield* stored.put(bytes)
    const segment = yield* views.adopt(workspaceId, segment_id, bytes)
    const span = spanOfParts(group.map(({ segment }) => segment))
    return { segment_id, chunks: segment.chunkCount, bytes: bytes.length, masked: [], ...(span && { span }) }
  })

  const segments = yield* Effect.forEach(groups, segmentOf).pipe(
    Effect.tap((segments) =>
      publishSnapshot(workspaceId, {
        change_seq: view.changeSeq,
        chunk_seq: head.chunk_seq,
        generation: head.generation,
        settings: snapshot?.settings ?? head.settings,
        latest: groups.flat().reduce((most, { latest }) => Math.max(most, latest), -Infinity),
        segments
      }, { previous: snapshot, replaces: true, fencingToken })
    ),
    Effect.onError(() => stored.drop)
  )
  if (overdue.length > purged.size) yield* jobs.enqueue(refreshJob(workspaceId, now), null)
  else if (canSettle(segments)) yield* jobs.enqueue(delayedRefreshJob(workspaceId, now), null)
  // The next query finds it loaded. Later changes are left to that query or to their own refresh: indexed on their own
  // here, they would be merged with the next ones.
  const { change_seq } = yield* knowledge.head(workspaceId)
  if (change_seq === view.changeSeq) yield* views.current(workspaceId)
})

export const refreshContext = operation("KnowledgeContext.refresh", refreshAll)
