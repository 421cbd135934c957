/** Turns texts into vectors; texts of similar meaning have close vectors. Without one from the host there are no vectors. */
import { Context, type Effect, Schema } from "effect"

/** The model did not answer, or returned something unusable; it may work later. */
export class ModelUnavailable extends Schema.TaggedError<ModelUnavailable>()("ModelUnavailable", {
  cause: Schema.Defect()
}) {}

/** An embedding model: `open` takes one as `embedder`. */
export interface EmbeddingModel {
  /** Identifies everything that vectors depend on. Vectors of different names are never compared. */
  readonly model: string
  /** The length of every vector; null until the model has answered. */
  readonly dimensions: number | null
  /** The most texts per call. */
  readonly batch: number
  /** One vector for each text, in order, none of length zero; a `Float32Array` is one, too. Ends within bounded time. */
  embed(
    texts: ReadonlyArray<string>,
    purpose: "document" | "query"
  ): Effect.Effect<ReadonlyArray<ArrayLike<number>>, ModelUnavailable>
}

/** The model of the service; null for search by words alone. */
export const Embedder = Context.Reference<EmbeddingModel | null>("@tributary/core/ports/Embedder", {
  defaultValue: () => null
})
