/** Computes vectors in batches, as far as time and model allow. */
import { Clock, Effect } from "effect"
import type { EmbeddingModel } from "../../ports/Embedder.ts"
import { isDirected, type Row, rowFor } from "../Vectors.ts"
import { VectorSearch } from "../VectorSearch.ts"
import type { ChunkText } from "./chunkTexts.ts"

/** How the computation ended. */
export type Outcome = "done" | "late" | "failed"

/** The vectors of a batch as rows, or null if the model fails or returns something else than the vectors. */
const embedBatch = Effect.fnUntraced(
  function*(model: EmbeddingModel, dimensions: number, batch: ReadonlyArray<Pick<ChunkText, "hash" | "text">>) {
    const { ifAvailable } = yield* VectorSearch
    const vectors = yield* ifAvailable(() => model.embed(batch.map(({ text }) => text), "document"))
    if (vectors === null) return null
    if (!batch.every((_, index) => vectors[index]?.length === dimensions)) {
      const expected = `${batch.length} vectors of ${dimensions} numbers`
      yield* Effect.logWarning(`the embedding model was to return ${expected}`, vectors.map(({ length }) => length))
      return null
    }
    const unusable = batch.filter((_, index) => !isDirected(vectors[index])).length
    if (unusable > 0) {
      const counts = { model: model.model, vectors: batch.length, unusable }
      yield* Effect.logWarning("the embedding model returned vectors that are zero or not finite", counts)
      return null
    }
    return batch.map(({ hash }, index): Row => ({ hash, values: rowFor(vectors[index]!) }))
  }
)

/** The computed rows by chunk. Equal texts are embedded once. No batch starts after `until`. */
export const embedTexts = Effect.fnUntraced(
  function*(model: EmbeddingModel, dimensions: number, texts: ReadonlyArray<ChunkText>, until: number) {
    const distinct = [...new Map(texts.map((text) => [text.hash, text])).values()]
    const byHash = new Map<string, Row>()
    let outcome = "done" as Outcome
    for (let at = 0; at < distinct.length; at += model.batch) {
      const isLate = (yield* Clock.currentTimeMillis) >= until
      const rows = isLate ? null : yield* embedBatch(model, dimensions, distinct.slice(at, at + model.batch))
      if (rows === null) {
        outcome = isLate ? "late" : "failed"
        break
      }
      for (const row of rows) byHash.set(row.hash, row)
    }
    const computed = texts.flatMap(({ chunk, hash }) => {
      const row = byHash.get(hash)
      return row === undefined ? [] : [[chunk, row] as const]
    })
    return { outcome, computed }
  }
)
