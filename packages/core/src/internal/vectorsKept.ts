/** Which vectors a snapshot goes on to name that has these segments: theirs, and what the model need not make again. */
import type { EmbeddingModel } from "../ports/Embedder.ts"
import type { Snapshot, SnapshotSegment } from "../ports/KnowledgeStore.ts"

export const vectorsKept = (
  segments: ReadonlyArray<SnapshotSegment>,
  previous: Snapshot | null,
  model: EmbeddingModel | null
): ReadonlyArray<SnapshotSegment> => {
  const names = new Set(segments.map(({ segment_id }) => segment_id))
  return (previous?.segments ?? []).filter(({ vectors }) =>
    vectors !== undefined && (names.has(vectors.segment_id) || vectors.model === model?.model)
  )
}
