/** The knowledge context of a workspace: its settings, its state, and updates. */
import { latestPassing } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer } from "effect"
import { traceMethods } from "../internal/collectedTraces.ts"
import { CONTEXT_QUEUE, rebuildJob, refreshNowJob } from "./contextJobs.ts"
import { ContextViews } from "./ContextViews.ts"
import { knowledgeStatus } from "./knowledgeStatus.ts"
import { LruCache } from "./LruCache.ts"
import { retryRead } from "./retryRead.ts"
import { servedRange } from "./servedRange.ts"
import { tallyOf, timelineOf } from "./timeline.ts"
import { EVERYTHING } from "./View.ts"
import { inSlices } from "../scheduling/Slices.ts"
import { BadRequest, type StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { KnowledgeSettings, KnowledgeSettingsPatch, TemporalSettings } from "../model/KnowledgeSettings.ts"
import { isReversed, type Range, resolveRange } from "../model/TemporalRange.ts"
import type { KnowledgeStatus, RefreshRequest, RefreshStarted } from "../model/KnowledgeStatus.ts"
import type { Principal } from "../model/Principal.ts"
import type { Timeline } from "../model/Timeline.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { auditing } from "../people/auditing.ts"
import { JobStore } from "../ports/JobStore.ts"
import { type Head, KnowledgeStore, type Snapshot } from "../ports/KnowledgeStore.ts"

/** For hosts that fill a store without ingest. */
export { rebuildJob }

/** How many of the latest builds are read to determine the state; more than can be running. */
const LATEST = 10

/** What waited for a workspace's snapshot as of a change. */
interface Counted {
  readonly since: number
  readonly change_seq: number
  readonly pending: number
}

/** Of how many workspaces it is kept. */
const MAX_COUNTED = 1_000

export class KnowledgeContext extends Context.Service<KnowledgeContext, {
  settings(workspaceId: WorkspaceId): Effect.Effect<KnowledgeSettings, StorageUnavailable>
  /**
   * A given range starts a full rebuild at once, even if it equals the current one. `BadRequest`: it ends before it
   * starts.
   */
  configure(
    workspace: WorkspaceRecord,
    patch: KnowledgeSettingsPatch,
    by: Principal
  ): Effect.Effect<KnowledgeSettings, BadRequest | StorageUnavailable>
  status(workspaceId: WorkspaceId): Effect.Effect<KnowledgeStatus, StorageUnavailable>
  refresh(workspaceId: WorkspaceId, request: RefreshRequest): Effect.Effect<RefreshStarted, StorageUnavailable>
  /** All documents by month, and the number in a given range, which need not be the configured one. */
  timeline(workspaceId: WorkspaceId, range: TemporalSettings): Effect.Effect<Timeline, StorageUnavailable>
}>()("@tributary/core/KnowledgeContext") {
  static readonly layer = Layer.effect(
    KnowledgeContext,
    Effect.gen(function*() {
      const store = yield* KnowledgeStore
      const jobs = yield* JobStore
      const views = yield* ContextViews
      const audit = yield* auditing

      const settings = (workspaceId: WorkspaceId) => Effect.map(store.head(workspaceId), (head) => head.settings)

      const configure = Effect.fnUntraced(
        function*(workspace: WorkspaceRecord, { temporal_settings = null }: KnowledgeSettingsPatch, by: Principal) {
          const { workspace_id } = workspace
          if (temporal_settings === null) return yield* settings(workspace_id)
          const now = yield* Clock.currentTimeMillis
          if (isReversed(resolveRange(temporal_settings, now))) {
            return yield* new BadRequest({ message: "The range ends before it starts." })
          }
          const patch = { temporal_settings }
          const configured = audit(store.configure(workspace_id, patch, rebuildJob(workspace_id, now)), {
            action: "knowledge_range.changed",
            by,
            in: workspace,
            subject: workspace_id,
            details: { changes: JSON.stringify(patch) }
          })
          return (yield* configured).settings
        }
      )

      /** The latest document in the loaded snapshot and the range, which usually is the latest of all. */
      const watermarkOf = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, snapshot: Snapshot | null, range: Range) {
          if (snapshot === null || snapshot.watermark === null) return null
          const latest = snapshot.watermark.getTime()
          if (latest >= range.from && latest < range.to) return snapshot.watermark
          const { view } = yield* views.current(workspaceId)
          const found = yield* views.each(
            workspaceId,
            view,
            range,
            (parts) =>
              Effect.sync(() =>
                latestPassing(parts.filter(({ segment_id }) => segment_id !== null), { overlapping: [range] })
              )
          )
          const within = Math.max(-Infinity, ...found)
          return Number.isFinite(within) ? new Date(within) : null
        },
        Effect.provideService(ContextViews, views)
      )

      // Counting takes time in proportion to what waits, and a status is often requested before anything else changed.
      const counted = new LruCache<Counted>(MAX_COUNTED, () => 1)
      const pendingIn = Effect.fnUntraced(function*(workspaceId: WorkspaceId, { change_seq, snapshot }: Head) {
        const since = snapshot?.change_seq ?? 0
        const last = counted.get(workspaceId)
        if (last !== undefined && last.since === since && last.change_seq === change_seq) return last.pending
        const pending = yield* store.countPending(workspaceId, since)
        counted.set(workspaceId, { since, change_seq, pending })
        return pending
      })

      const status = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        const head = yield* store.head(workspaceId)
        const latest = yield* jobs.list(workspaceId, CONTEXT_QUEUE, { status: null, after: null, limit: LATEST })
        const pending = yield* pendingIn(workspaceId, head)
        const loaded = yield* views.loaded(workspaceId)
        const range = servedRange(head, yield* Clock.currentTimeMillis)
        const watermark = yield* retryRead(workspaceId, watermarkOf(workspaceId, loaded, range))
        return knowledgeStatus(head, pending, latest, loaded, watermark)
      }, Effect.provideService(ContextViews, views))

      const refresh = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, request: RefreshRequest) {
          const job = refreshNowJob(workspaceId, yield* Clock.currentTimeMillis)
          yield* jobs.enqueue(job, null)
          return {
            task_id: job.job_id,
            status: "queued" as const,
            run_id: yield* store.nextRun(workspaceId),
            snapshots_deleted: request.delete_old_snapshots === true ? yield* store.dropOldSnapshots(workspaceId) : 0
          }
        }
      )

      const timeline = Effect.fnUntraced(
        function*(workspaceId: WorkspaceId, range: TemporalSettings) {
          const now = yield* Clock.currentTimeMillis
          const resolved = resolveRange(range, now)
          const count = Effect.gen(function*() {
            const { view } = yield* views.current(workspaceId)
            return yield* views.each(
              workspaceId,
              view,
              EVERYTHING,
              (parts) => inSlices(tallyOf(parts, resolved, now))
            )
          })
          const tallies = yield* retryRead(workspaceId, count)
          return timelineOf(tallies, now)
        },
        Effect.provideService(ContextViews, views)
      )

      return traceMethods({ settings, configure, status, refresh, timeline }, "KnowledgeContext", "internal")
    })
  )
}
