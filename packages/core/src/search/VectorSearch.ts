/** Semantic search: the vectors of segments and queries, and the nearest chunks. */
import { blockedIn, type Hit, mayPass, SegmentUnreadable } from "@tributary/retrieval"
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { Embedder, type EmbeddingModel, ModelUnavailable } from "../ports/Embedder.ts"
import { JobStore } from "../ports/JobStore.ts"
import { KnowledgeStore, type SnapshotSegment } from "../ports/KnowledgeStore.ts"
import { SegmentBudget, SegmentCache } from "../ports/SegmentCache.ts"
import { refreshJob } from "../context/contextJobs.ts"
import { LruCache } from "../context/LruCache.ts"
import { Nearest, type NearestOptions, scanStretch, stretches } from "./scanVectors.ts"
import { thrownAsUnavailable } from "./thrownAsUnavailable.ts"
import { isDirected, type QueryVector, queryVector, Vectors } from "./Vectors.ts"
import type { Part, View } from "../context/View.ts"

/** The share of the segment memory that vectors may take. */
const SHARE = 0.5

/** How many query vectors are cached, so that every page of a search uses the same. */
const REMEMBERED = 1_000

/** Milliseconds between two jobs for missing vectors. */
const REMINDED = 60_000

/** Milliseconds until a failed model gets requests for document vectors again. */
export const PAUSE = 60_000

/** Milliseconds; a slower batch counts as failed. */
const LONGEST_BATCH = 30_000

/** Milliseconds; without a vector by then the query is lexical. */
const PATIENCE = 5_000

/** The entries of a snapshot with vectors of this model, by their segment. */
export const vectorsBySegment = (
  segments: ReadonlyArray<SnapshotSegment>,
  model: string
): ReadonlyMap<string, SnapshotSegment> =>
  new Map(segments.flatMap((entry) => entry.vectors?.model === model ? [[entry.vectors.segment_id, entry]] : []))

/** Chunks of the searched range without a vector. */
const missingOf = (part: Part, entry: SnapshotSegment | undefined): number =>
  entry?.vectors?.missing ?? part.segment.chunkCount - part.mask.hiddenChunks

/** Within the time, or unavailable. */
const within = <A>(duration: number, answer: () => Effect.Effect<A, ModelUnavailable>) =>
  Effect.timeoutOrElse(thrownAsUnavailable(answer), {
    duration,
    orElse: () => Effect.fail(new ModelUnavailable({ cause: `no answer within ${duration} ms` }))
  })

export class VectorSearch extends Context.Service<VectorSearch, {
  /** Null without a model; everything is lexical then. */
  readonly model: EmbeddingModel | null
  /** The length of the model's vectors; asks the model if it is unknown. */
  readonly dimensions: Effect.Effect<number, ModelUnavailable>
  vectorOf(question: string): Effect.Effect<QueryVector, ModelUnavailable>
  /** Null if the model fails, and for a while after that, because refreshes wait for it. */
  answered<A>(answer: () => Effect.Effect<A, ModelUnavailable>): Effect.Effect<A | null>
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
  remind(workspaceId: WorkspaceId): Effect.Effect<void, StorageUnavailable>
}>()("@tributary/core/search/VectorSearch") {
  static readonly layer = Layer.effect(
    VectorSearch,
    Effect.gen(function*() {
      const model = yield* Embedder
      const cache = yield* SegmentCache
      const jobs = yield* JobStore
      const knowledge = yield* KnowledgeStore
      const loaded = new LruCache<Vectors>((yield* SegmentBudget) * SHARE, ({ byteLength }) => byteLength)
      const questions = new LruCache<QueryVector>(REMEMBERED, () => 1)
      const reminded = new LruCache<number>(REMEMBERED, () => 1)

      const open = (bytes: Uint8Array) =>
        Effect.sync(() => new Vectors(bytes)).pipe(
          Effect.catchDefect((defect) =>
            defect instanceof SegmentUnreadable
              ? Effect.as(Effect.logWarning("vectors unreadable", defect.reason), null)
              : Effect.die(defect)
          )
        )

      const read = Effect.fnUntraced(function*(workspaceId: WorkspaceId, segmentId: string) {
        const copy = yield* cache.get(workspaceId, segmentId)
        const intact = copy === null ? null : yield* open(copy)
        if (intact !== null) return intact
        const bytes = yield* knowledge.getSegment(workspaceId, segmentId)
        const vectors = Option.isNone(bytes) ? null : yield* open(bytes.value)
        if (vectors !== null) yield* cache.put(workspaceId, segmentId, Option.getOrThrow(bytes))
        return vectors
      })

      const load = Effect.fnUntraced(function*(workspaceId: WorkspaceId, { segment_id }: SnapshotSegment) {
        const key = `${workspaceId}/${segment_id}`
        const known = loaded.get(key)
        if (known !== undefined) return known
        const vectors = yield* read(workspaceId, segment_id)
        if (vectors !== null) loaded.set(key, vectors)
        return vectors
      })

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
              scanStretch(embedded, query, stretch, options.groupBy, found)
              // Other requests run in between.
              yield* Effect.yieldNow
            }
          }
          return found.best()
        }
      )

      let failedAt = -Infinity
      const answered = Effect.fnUntraced(function*<A>(answer: () => Effect.Effect<A, ModelUnavailable>) {
        if ((yield* Clock.currentTimeMillis) - failedAt < PAUSE) return null
        const outcome = yield* Effect.result(within(LONGEST_BATCH, answer))
        if (Result.isSuccess(outcome)) return outcome.success
        failedAt = yield* Clock.currentTimeMillis
        yield* Effect.logWarning("the embedding model is unavailable", outcome.failure)
        return null
      })

      let length: number | null = model?.dimensions ?? null
      const dimensions = Effect.gen(function*() {
        if (length !== null) return length
        if (model === null) return yield* new ModelUnavailable({ cause: "no model is configured" })
        const [vector = []] = yield* model.embed(["A text of any kind."], "document")
        return length = vector.length
      })

      const vectorOf = Effect.fnUntraced(function*(question: string) {
        const known = questions.get(question)
        if (known !== undefined) return known
        if (model === null) return yield* new ModelUnavailable({ cause: "no model is configured" })
        const [vector] = yield* within(PATIENCE, () => model.embed([question], "query"))
        if (!isDirected(vector) || vector.length !== (length ?? vector.length)) {
          const reason = "returned a vector that is absent, zero, not finite or of another length"
          return yield* new ModelUnavailable({ cause: new Error(`the embedding model ${model.model} ${reason}`) })
        }
        const query = queryVector(vector)
        questions.set(question, query)
        return query
      })

      const missingIn = (view: View, parts: ReadonlyArray<Part>) => {
        const entries = entriesOf(view)
        return parts.reduce((sum, part) => sum + missingOf(part, entries.get(part.segment_id ?? "")), 0)
      }

      const remind = Effect.fnUntraced(function*(workspaceId: WorkspaceId) {
        const now = yield* Clock.currentTimeMillis
        if (now - (reminded.get(workspaceId) ?? -Infinity) < REMINDED) return
        reminded.set(workspaceId, now)
        yield* jobs.enqueue(refreshJob(workspaceId, now), null)
      })

      return VectorSearch.of({ model, dimensions, answered, vectorOf, load, nearest, missingIn, remind })
    })
  )
}
