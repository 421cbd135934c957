/** Vectors that earlier builds computed for the same texts. */
import { Effect } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import type { SnapshotSegment } from "../../ports/KnowledgeStore.ts"
import type { Row } from "../Vectors.ts"
import { VectorSearch } from "../VectorSearch.ts"
import type { ChunkText } from "./chunkTexts.ts"

/** The rows of those texts, by chunk, whose vectors are in these files. */
export const reuseVectors = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, texts: ReadonlyArray<ChunkText>, files: Iterable<SnapshotSegment>) {
    const { load } = yield* VectorSearch
    const byHash = new Map<string, Row | null>(texts.map(({ hash }) => [hash, null]))
    for (const file of files) {
      const vectors = yield* load(workspaceId, file)
      if (vectors === null) continue
      for (let row = 0; row < vectors.count; row++) {
        if (!vectors.has(row)) continue
        const hash = vectors.hashOf(row)
        if (byHash.get(hash) === null) byHash.set(hash, { hash, values: vectors.rowOf(row) })
      }
      yield* Effect.yieldNow
    }
    return new Map(texts.flatMap(({ chunk, hash }) => {
      const row = byHash.get(hash) ?? null
      return row === null ? [] : [[chunk, row] as const]
    }))
  }
)
