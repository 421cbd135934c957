/** Turns texts into vectors that lie near each other when the texts mean much the same. There is none unless a host provides one. */
import { Context, type Effect, Schema } from "effect"

/** The model did not answer, or not with what can be used; later it may. */
export class ModelUnavailable extends Schema.TaggedError<ModelUnavailable>()("ModelUnavailable", {
  cause: Schema.Defect()
}) {}

export interface EmbeddingModel {
  /** Names all that vectors depend on: those of different names are never compared. */
  readonly model: string
  /** Of every vector; null as long as only the model knows. */
  readonly dimensions: number | null
  /** How many texts it takes at a time, at the most. */
  readonly batch: number
  /** One vector for each text, in their order, of any length but zero. Ends within bounded time. */
  embed(
    texts: ReadonlyArray<string>,
    purpose: "document" | "query"
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<number>>, ModelUnavailable>
}

export const Embedder = Context.Reference<EmbeddingModel | null>("@tributary/core/ports/Embedder", {
  defaultValue: () => null
})
