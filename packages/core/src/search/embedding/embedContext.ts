/** Computes the vectors of the published snapshot, each text of each model once. A later job continues late work. */
import { Clock, Effect } from "effect"
import { refreshJob } from "../../context/contextJobs.ts"
import { ContextViews } from "../../context/ContextViews.ts"
import { retainedSnapshots } from "../../context/publishSnapshot.ts"
import { buildSegments } from "../../context/segments/buildSegments.ts"
import { storedOf, type View } from "../../context/View.ts"
import { operation } from "../../internal/collectedTraces.ts"
import { uuid7 } from "../../internal/uuid7.ts"
import type { StorageUnavailable } from "../../model/Error.ts"
import type { SnapshotId, WorkspaceId } from "../../model/Id.ts"
import type { EmbeddingModel } from "../../ports/Embedder.ts"
import { type FencingToken, JobStore } from "../../ports/JobStore.ts"
import { KnowledgeStore, type Snapshot, type SnapshotSegment } from "../../ports/KnowledgeStore.ts"
import { writeVectors } from "../Vectors.ts"
import { vectorsBySegment, VectorSearch } from "../VectorSearch.ts"
import { chunksOf, readTexts } from "./chunkTexts.ts"
import { embedTexts, type Outcome } from "./embedTexts.ts"
import { RETRY_AFTER } from "./modelCalls.ts"
import { reuseVectors } from "./reuseVectors.ts"

/** Milliseconds after which no further batch starts, so that waiting changes are folded in between. */
const TURN = 10_000

/** Milliseconds until the next turn. */
const SOON = 1_000

/** What one job works on. */
interface Turn {
  readonly workspaceId: WorkspaceId
  readonly view: View
  readonly snapshot: Snapshot
  readonly model: EmbeddingModel
  readonly dimensions: number
  /** The usable vectors of the snapshot by segment, some of them of segments that it no longer names. */
  readonly earlier: ReadonlyMap<string, SnapshotSegment>
}

/** Whether an entry of the snapshot has the vectors of a segment that the snapshot no longer names. */
const leftOverIn = ({ segments }: Snapshot): (entry: SnapshotSegment) => boolean => {
  const named = new Set(segments.flatMap(({ segment_id, vectors }) => vectors === undefined ? [segment_id] : []))
  return ({ vectors }) => vectors !== undefined && !named.has(vectors.segment_id)
}

/** The new vectors of a segment; null if there are no more than before. */
const embedSegment = Effect.fnUntraced(function*(
  { dimensions, earlier, model, view, workspaceId }: Turn,
  { chunks, segment_id }: SnapshotSegment,
  until: number
) {
  const views = yield* ContextViews
  const texts = yield* readTexts(workspaceId, yield* Effect.map(views.part(workspaceId, view, segment_id), chunksOf))
  const rows = yield* reuseVectors(workspaceId, texts, earlier.values())
  const lacking = texts.filter(({ chunk }) => !rows.has(chunk))
  const { computed, outcome } = yield* embedTexts(model, dimensions, lacking, until)
  for (const [chunk, row] of computed) rows.set(chunk, row)
  const missing = lacking.length - computed.length
  const isBetter = missing === 0 || rows.size > (earlier.get(segment_id)?.chunks ?? 0)
  return { outcome, missing, count: rows.size, bytes: isBetter ? writeVectors(chunks, rows) : null }
})

/** Embeds segment by segment until the model fails or the time is over. Returns the entries for the snapshot. */
const embedSegments = Effect.fnUntraced(function*(
  turn: Turn,
  segments: ReadonlyArray<SnapshotSegment>,
  put: (bytes: Uint8Array) => Effect.Effect<string, StorageUnavailable>
) {
  const until = (yield* Clock.currentTimeMillis) + TURN
  const written: Array<SnapshotSegment> = []
  let outcome = "done" as Outcome
  for (const segment of segments) {
    const embedded = yield* embedSegment(turn, segment, until)
    const { bytes, count, missing } = embedded
    if (bytes !== null) {
      const vectors = { segment_id: segment.segment_id, model: turn.model.model, dimensions: turn.dimensions, missing }
      written.push({ segment_id: yield* put(bytes), chunks: count, bytes: bytes.length, masked: [], vectors })
    }
    outcome = embedded.outcome
    if (outcome !== "done") break
  }
  return { outcome, written }
})

/** Returns false if another build was published meanwhile. */
const publishVectors = Effect.fnUntraced(function*(
  { earlier, snapshot, workspaceId }: Turn,
  written: ReadonlyArray<SnapshotSegment>,
  isDone: boolean,
  fencingToken: FencingToken
) {
  const isLeftOver = leftOverIn(snapshot)
  if (written.length === 0 && !(isDone && snapshot.segments.some(isLeftOver))) return true
  const renewed = new Set(written.map(({ vectors }) => vectors!.segment_id))
  // Until everything is done, vectors of segments that are gone save the model some work.
  const kept = [...earlier].flatMap(([segmentId, entry]) =>
    renewed.has(segmentId) || (isDone && isLeftOver(entry)) ? [] : [entry]
  )
  return yield* (yield* KnowledgeStore).publish(workspaceId, {
    ...snapshot,
    snapshot_id: uuid7<SnapshotId>(yield* Clock.currentTimeMillis),
    segments: [...snapshot.segments.filter(({ vectors }) => vectors === undefined), ...kept, ...written]
  }, { previous: snapshot.snapshot_id, replaces: true, keep: yield* retainedSnapshots(workspaceId), fencingToken })
})

const continueIn = Effect.fnUntraced(function*(workspaceId: WorkspaceId, delay: number) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* JobStore).enqueue({ ...refreshJob(workspaceId, now), run_at: new Date(now + delay) }, null)
})

/** Does nothing without a model. */
const embedAll = Effect.fnUntraced(function*(workspaceId: WorkspaceId, fencingToken: FencingToken) {
  const { dimensions: dimensionsOf, model } = yield* VectorSearch
  if (model === null) return
  const { view } = yield* (yield* ContextViews).current(workspaceId)
  const { snapshot } = view
  if (snapshot === null) return
  const dimensions = yield* dimensionsOf
  if (dimensions === null) return yield* continueIn(workspaceId, RETRY_AFTER)
  const ofModel = vectorsBySegment(snapshot.segments, model.model)
  const earlier = new Map([...ofModel].filter(([, { vectors }]) => vectors?.dimensions === dimensions))
  const incomplete = storedOf(view).filter(({ segment_id }) => earlier.get(segment_id)?.vectors?.missing !== 0)
  if (incomplete.length === 0 && !snapshot.segments.some(leftOverIn(snapshot))) return

  const turn = { workspaceId, view, snapshot, model, dimensions, earlier }
  const build = yield* buildSegments(workspaceId)
  const embedAndPublish = Effect.gen(function*() {
    const { outcome, written } = yield* embedSegments(turn, incomplete, build.put)
    return { outcome, published: yield* publishVectors(turn, written, outcome === "done", fencingToken) }
  })
  const { outcome, published } = yield* Effect.onError(embedAndPublish, () => build.drop)
  if (!published) yield* build.drop
  if (published && outcome === "done") return
  yield* continueIn(workspaceId, outcome === "failed" ? RETRY_AFTER : SOON)
})

export const embedContext = operation("KnowledgeContext.embed", embedAll)
