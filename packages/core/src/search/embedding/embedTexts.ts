/** Computes vectors in batches, as far as time and model allow. */
import { Clock, Effect } from "effect"
import { type EmbeddingModel, ModelUnavailable } from "../../ports/Embedder.ts"
import { type Row, rowFor } from "../Vectors.ts"
import { VectorSearch } from "../VectorSearch.ts"
import type { ChunkText } from "./chunkTexts.ts"

/** How the computation ended. */
export type Outcome = "done" | "late" | "failed"

const batchesOf = (texts: ReadonlyArray<ChunkText>, size: number): Array<ReadonlyArray<ChunkText>> =>
  Array.from({ length: Math.ceil(texts.length / size) }, (_, at) => texts.slice(at * size, (at + 1) * size))

const logRefused = (texts: number, failure: ModelUnavailable) =>
  Effect.annotateLogs(Effect.logWarning("the embedding model refuses texts of documents", failure), { texts })

/**
 * The computed rows by chunk. Equal texts are embedded once. No batch starts after `until`. A batch that the model
 * refuses is halved until only the text is left out for which it is refused: the others do not wait for that one.
 */
export const embedTexts = Effect.fnUntraced(
  function*(model: EmbeddingModel, dimensions: number, texts: ReadonlyArray<ChunkText>, until: number) {
    const { embedDocuments } = yield* VectorSearch
    const distinct = [...new Map(texts.map((text) => [text.hash, text])).values()]
    const byHash = new Map<string, Row>()
    const waiting = batchesOf(distinct, model.batch).reverse()
    let outcome = "done" as Outcome
    let refused = 0
    let refusal: ModelUnavailable | null = null
    while (outcome === "done" && waiting.length > 0) {
      const batch = waiting.pop()!
      const isLate = (yield* Clock.currentTimeMillis) >= until
      const vectors = isLate ? null : yield* embedDocuments(batch.map(({ text }) => text), dimensions)
      if (vectors === null) {
        // A model that has refused all so far will refuse them in a second as well.
        outcome = isLate && (refusal === null || byHash.size > 0) ? "late" : "failed"
      } else if (!(vectors instanceof ModelUnavailable)) {
        batch.forEach(({ hash }, at) => byHash.set(hash, { hash, values: rowFor(vectors[at]!) }))
      } else {
        refusal = vectors
        if (batch.length === 1) refused++
        else waiting.push(...batchesOf(batch, Math.ceil(batch.length / 2)).reverse())
      }
    }
    if (refusal !== null) yield* logRefused(refused, refusal)
    const computed = texts.flatMap(({ chunk, hash }) => {
      const row = byHash.get(hash)
      return row === undefined ? [] : [[chunk, row] as const]
    })
    return { outcome, computed }
  }
)
