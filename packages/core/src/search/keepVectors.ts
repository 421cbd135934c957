/** Which vectors a new snapshot names: those of its segments, and those that save the model work. */
import type { EmbeddingModel } from "../ports/Embedder.ts"
import { purgedSeq, type Snapshot, type SnapshotSegment } from "../ports/KnowledgeStore.ts"
import { isDue } from "../context/purge.ts"

export const keepVectors = (
  segments: ReadonlyArray<SnapshotSegment>,
  previous: Snapshot | null,
  model: EmbeddingModel | null,
  now: number
): ReadonlyArray<SnapshotSegment> => {
  if (previous === null) return []
  const names = new Set(segments.map(({ segment_id }) => segment_id))
  return previous.segments.flatMap((entry) => {
    const { vectors } = entry
    if (vectors === undefined) return []
    if (names.has(vectors.segment_id)) return [entry]
    if (vectors.model !== model?.model) return []
    // They may be of deleted text, which must not be kept while a model is unavailable.
    const masked = entry.hiding ?? { since: now, after: purgedSeq(previous) }
    return isDue(masked, now) ? [] : [{ ...entry, hiding: masked }]
  })
}
