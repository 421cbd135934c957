/** Semantic search: the vectors of segments and queries, and the nearest chunks. */
import { blockedIn, type Hit, mayPass } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Embedder, type EmbeddingModel, type ModelUnavailable } from "../ports/Embedder.ts"
import { JobStore } from "../ports/JobStore.ts"
import type { SnapshotSegment } from "../ports/KnowledgeStore.ts"
import { refreshJob } from "../context/contextJobs.ts"
import { LruCache } from "../context/LruCache.ts"
import type { Part, View } from "../context/View.ts"
import { modelCalls } from "./embedding/modelCalls.ts"
import { makeLoadVectors } from "./loadVectors.ts"
import { Nearest, type NearestOptions, scanRange, stretches } from "./scanVectors.ts"
import type { QueryVector, Vectors } from "./Vectors.ts"

/** Milliseconds between two jobs for missing vectors of a workspace, of which this many are remembered. */
const QUEUE_INTERVAL = 60_000
const MAX_TRACKED = 1_000

/** The entries of a snapshot with vectors of this model, by their segment. */
export const vectorsBySegment = (
  segments: ReadonlyArray<SnapshotSegment>,
  model: string
): ReadonlyMap<string, SnapshotSegment> =>
  new Map(segments.flatMap((entry) => entry.vectors?.model === model ? [[entry.vectors.segment_id, entry]] : []))

/** Chunks of the searched range without a vector. */
const missingOf = (part: Part, entry: SnapshotSegment | undefined): number =>
  entry?.vectors?.missing ?? part.segment.chunkCount - part.mask.hiddenChunks

export class VectorSearch extends Context.Service<VectorSearch, {
  /** Null without a model; everything is lexical then. */
  readonly model: EmbeddingModel | null
  /** The length of the model's vectors, for which the model is asked if it is unknown; null while it is unavailable. */
  readonly dimensions: Effect.Effect<number | null>
  embedQuery(query: string): Effect.Effect<QueryVector, ModelUnavailable>
  /**
   * The vectors of these texts, or why the model has none of them. Null if it is unavailable, and for a while after that,
   * because refreshes wait for it.
   */
  embedDocuments(
    texts: ReadonlyArray<string>,
    dimensions: number
  ): Effect.Effect<ReadonlyArray<ArrayLike<number>> | ModelUnavailable | null>
  /** Null if they are gone or damaged; the chunks are embedded again then. */
  load(workspaceId: WorkspaceId, entry: SnapshotSegment): Effect.Effect<Vectors | null, StorageUnavailable>
  /** The nearest chunks of some parts of the view, best first, with cosines as scores. */
  nearest(
    workspaceId: WorkspaceId,
    view: View,
    parts: ReadonlyArray<Part>,
    query: QueryVector,
    options: NearestOptions
  ): Effect.Effect<ReadonlyArray<Hit>, StorageUnavailable>
  /** How many chunks of these parts have no vectors yet. */
  missingIn(view: View, parts: ReadonlyArray<Part>): number
  /** Queues a job for missing vectors. */
  queueEmbedding(workspaceId: WorkspaceId): Effect.Effect<void, StorageUnavailable>
}>()("@tributary/core/search/VectorSearch") {
  static readonly layer = Layer.effect(
    VectorSearch,
    Effect.gen(function*() {
      const model = yield* Embedder
      const jobs = yield* JobStore
      const load = yield* makeLoadVectors
      const queued = new LruCache<number>(MAX_TRACKED, () => 1)

      const entriesOf = ({ snapshot }: View) =>
        model === null ? new Map<string, SnapshotSegment>() : vectorsBySegment(snapshot?.segments ?? [], model.model)

      const nearest = Effect.fn("VectorSearch.nearest")(
        function*(
          workspaceId: WorkspaceId,
          view: View,
          parts: ReadonlyArray<Part>,
          query: QueryVector,
          options: NearestOptions
        ) {
          const entries = entriesOf(view)
          const found = new Nearest(options.limit)
          for (const [position, part] of parts.entries()) {
            if (!mayPass(part, options)) continue
            const entry = part.segment_id === null ? undefined : entries.get(part.segment_id)
            const vectors = entry === undefined ? null : yield* load(workspaceId, entry)
            const fits = vectors !== null && vectors.count === part.segment.chunkCount &&
              vectors.dimensions === query.values.length
            if (!fits) continue
            const embedded = { part, position, vectors, blocked: blockedIn(part, options) }
            for (const stretch of stretches(part.segment)) {
              scanRange(embedded, query, stretch, options.groupBy, found)
              // Other requests run in between.
              yield* Effect.yieldNow
            }
          }
          return found.best()
        }
      )

      const missingIn = (view: View, parts: ReadonlyArray<Part>) => {
        const entries = entriesOf(view)
        return parts.reduce((sum, part) => sum + missingOf(part, entries.get(part.segment_id ?? "")), 0)
      }

      const queueEmbedding = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        const now = yield* Clock.currentTimeMillis
        if (Math.abs(now - (queued.get(workspaceId) ?? -Infinity)) < QUEUE_INTERVAL) return
        queued.set(workspaceId, now)
        yield* jobs.enqueue(refreshJob(workspaceId, now), null)
      })

      return VectorSearch.of({ model, ...(yield* modelCalls(model)), load, nearest, missingIn, queueEmbedding })
    })
  )
}
