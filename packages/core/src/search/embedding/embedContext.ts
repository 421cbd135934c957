/** Computes the vectors of the published snapshot in batches, each text of each model once. */
import { Clock, Effect } from "effect"
import { operation } from "../internal/collectedTraces.ts"
import { DocumentId, SnapshotId, type WorkspaceId } from "../model/Id.ts"
import { DocumentStore, type PassageRef } from "../ports/DocumentStore.ts"
import type { EmbeddingModel } from "../ports/Embedder.ts"
import { JobStore } from "../ports/JobStore.ts"
import { KnowledgeStore, type SnapshotSegment, type Tenure } from "../ports/KnowledgeStore.ts"
import { refreshJob } from "../context/contextJobs.ts"
import { buildSegments } from "../context/segments/buildSegments.ts"
import { ContextViews } from "../context/ContextViews.ts"
import { keyOf, titledText } from "./readPassages.ts"
import { PAUSE, vectorsBySegment, VectorSearch } from "./VectorSearch.ts"
import { retainedSnapshots } from "../context/publishSnapshot.ts"
import { sha256Hex } from "../internal/sha256.ts"
import { uuid7 } from "../internal/uuid7.ts"
import { isDirected, type Row, rowFor, writeVectors } from "./Vectors.ts"
import { type Part, storedOf } from "../context/View.ts"

/** Milliseconds after which no further batch starts, so that waiting changes are folded in between. */
const TURN = 10_000

/** Milliseconds until the next turn. */
const SOON = 1_000

/** How many texts are read at a time. */
const READ = 500

/** A text is truncated after this many UTF-16 code units: models read no further. */
const LONGEST = 8_000

/** Half of a SHA-256, without collisions in practice. */
const HASH_DIGITS = 32

/** How a turn ended. */
type State = "done" | "late" | "failed"

interface Text {
  readonly chunk: number
  readonly text: string
  readonly hash: string
}

/** The vectors of a segment so far. */
interface Embedded {
  readonly segment: SnapshotSegment
  readonly rows: Map<number, Row>
  readonly missing: ReadonlyArray<Text>
}

const refsOf = ({ mask, segment }: Part): ReadonlyArray<readonly [chunk: number, ref: PassageRef]> =>
  [...segment.documents()].flatMap(({ id, number, version }) => {
    if (mask.hides(number)) return []
    const first = segment.firstChunks[number]!
    return Array.from(
      { length: segment.firstChunks[number + 1]! - first },
      (_, ordinal) => [first + ordinal, { document_id: DocumentId.make(id), change_seq: version, ordinal }] as const
    )
  })

const readTexts = Effect.fnUntraced(function*(workspaceId: WorkspaceId, refs: ReturnType<typeof refsOf>) {
  const documents = yield* DocumentStore
  const texts: Array<Text> = []
  for (let at = 0; at < refs.length; at += READ) {
    const batch = refs.slice(at, at + READ)
    const passages = yield* documents.passages(workspaceId, batch.map(([, ref]) => ref), false)
    const chunks = new Map(batch.map(([chunk, ref]) => [keyOf(ref), chunk]))
    for (const passage of passages) {
      const chunk = chunks.get(keyOf(passage))
      const text = titledText(passage).slice(0, LONGEST).trim()
      if (chunk === undefined || text === "") continue
      texts.push({ chunk, text, hash: (yield* sha256Hex(text)).slice(0, HASH_DIGITS) })
    }
  }
  return texts
})

/** Reuses existing vectors, of this or of other segments, for these texts. */
const recall = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, texts: ReadonlyArray<Text>, earlier: Iterable<SnapshotSegment>) {
    const { load } = yield* VectorSearch
    const wanted = new Map<string, Row | null>(texts.map(({ hash }) => [hash, null]))
    for (const entry of earlier) {
      const vectors = yield* load(workspaceId, entry)
      if (vectors === null) continue
      for (let row = 0; row < vectors.count; row++) {
        if (!vectors.has(row)) continue
        const hash = vectors.hashOf(row)
        if (wanted.get(hash) === null) wanted.set(hash, { hash, values: vectors.rowOf(row) })
      }
      yield* Effect.yieldNow
    }
    return new Map(texts.flatMap(({ chunk, hash }) => {
      const row = wanted.get(hash) ?? null
      return row === null ? [] : [[chunk, row] as const]
    }))
  }
)

/** Embeds until everything is done, the time is over, or the model fails. Returns which. */
const embed = Effect.fnUntraced(
  function*(
    model: EmbeddingModel,
    dimensions: number,
    { missing, rows }: Pick<Embedded, "missing" | "rows">,
    until: number
  ) {
    const { answered } = yield* VectorSearch
    // Equal texts are embedded once.
    const distinct = [...new Map(missing.map(({ hash, text }) => [hash, text]))]
    const made = new Map<string, Row>()
    const ended = (state: State) => {
      for (const { chunk, hash } of missing) {
        const row = made.get(hash)
        if (row !== undefined) rows.set(chunk, row)
      }
      return state
    }
    for (let at = 0; at < distinct.length; at += model.batch) {
      if ((yield* Clock.currentTimeMillis) >= until) return ended("late")
      const batch = distinct.slice(at, at + model.batch)
      const vectors = yield* answered(() => model.embed(batch.map(([, text]) => text), "document"))
      if (vectors === null) return ended("failed")
      if (!batch.every((_, index) => vectors[index]?.length === dimensions)) {
        const expected = `${batch.length} vectors of ${dimensions} numbers`
        yield* Effect.logWarning(`the embedding model was to return ${expected}`, vectors.map(({ length }) => length))
        return ended("failed")
      }
      const undirected = batch.filter((_, index) => !isDirected(vectors[index])).length
      if (undirected > 0) {
        const counts = { model: model.model, vectors: batch.length, unusable: undirected }
        yield* Effect.logWarning("the embedding model returned vectors that are zero or not finite", counts)
        return ended("failed")
      }
      batch.forEach(([hash], index) => made.set(hash, { hash, values: rowFor(vectors[index]!) }))
    }
    return ended("done")
  }
)

/** Does nothing without a model. A later job continues what is not done in time. */
const embedAll = Effect.fnUntraced(function*(workspaceId: WorkspaceId, tenure: Tenure) {
  const { answered, dimensions: dimensionsOf, model } = yield* VectorSearch
  if (model === null) return
  const jobs = yield* JobStore
  const knowledge = yield* KnowledgeStore
  const views = yield* ContextViews
  const { view } = yield* views.current(workspaceId)
  const { snapshot } = view
  if (snapshot === null) return
  const again = Effect.fnUntraced(function*(delay: number) {
    const now = yield* Clock.currentTimeMillis
    yield* jobs.enqueue({ ...refreshJob(workspaceId, now), run_at: new Date(now + delay) }, null)
  })
  const dimensions = yield* answered(() => dimensionsOf)
  if (dimensions === null) return yield* again(PAUSE)
  const earlier = new Map(
    [...vectorsBySegment(snapshot.segments, model.model)].filter(([, { vectors }]) =>
      vectors?.dimensions === dimensions
    )
  )
  const isComplete = ({ segment_id }: SnapshotSegment) => earlier.get(segment_id)?.vectors?.missing === 0
  const waiting = storedOf(view).filter((segment) => !isComplete(segment))
  const index = snapshot.segments.filter(({ vectors }) => vectors === undefined)
  const names = new Set(index.map(({ segment_id }) => segment_id))
  const areLeftOver = snapshot.segments.some(({ vectors }) => vectors !== undefined && !names.has(vectors.segment_id))
  if (waiting.length === 0 && !areLeftOver) return

  const now = yield* Clock.currentTimeMillis
  const stored = yield* buildSegments(workspaceId)
  const written: Array<SnapshotSegment> = []
  let state = "done" as State

  const write = Effect.fnUntraced(function*({ missing, rows, segment }: Embedded) {
    const left = missing.filter(({ chunk }) => !rows.has(chunk)).length
    if (left > 0 && rows.size <= (earlier.get(segment.segment_id)?.chunks ?? 0)) return
    const bytes = writeVectors(segment.chunks, rows)
    const segment_id = yield* stored.put(bytes)
    const vectors = { segment_id: segment.segment_id, model: model.model, dimensions, missing: left }
    written.push({ segment_id, chunks: rows.size, bytes: bytes.length, masked: [], vectors })
  })

  const embedAndPublish = Effect.gen(function*() {
    for (const segment of waiting) {
      if (state !== "done") break
      const refs = yield* Effect.map(views.part(workspaceId, view, segment.segment_id), refsOf)
      const texts = yield* readTexts(workspaceId, refs)
      const rows = yield* recall(workspaceId, texts, earlier.values())
      const missing = texts.filter(({ chunk }) => !rows.has(chunk))
      state = yield* embed(model, dimensions, { missing, rows }, now + TURN)
      yield* write({ segment, rows, missing })
    }
    if (written.length === 0 && !(areLeftOver && state === "done")) return true
    const renewed = new Set(written.map(({ vectors }) => vectors!.segment_id))
    // Until everything is done, vectors of deleted segments save the model some work.
    const kept = [...earlier].filter(([of]) => !renewed.has(of) && (state !== "done" || names.has(of)))
    return yield* knowledge.publish(workspaceId, {
      ...snapshot,
      snapshot_id: SnapshotId.make(uuid7(yield* Clock.currentTimeMillis)),
      segments: [...index, ...kept.map(([, entry]) => entry), ...written]
    }, { previous: snapshot.snapshot_id, replaces: true, keep: yield* retainedSnapshots(workspaceId), tenure })
  })

  const published = yield* Effect.onError(embedAndPublish, () => stored.drop)
  if (!published) yield* stored.drop
  if (published && state === "done") return
  yield* again(state === "failed" ? PAUSE : SOON)
})

export const embedContext = operation("KnowledgeContext.embed", embedAll)
