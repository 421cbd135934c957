/** Builds and merges segments; in the calling thread by default, elsewhere where a host provides it. */
import { type IndexDocument, Mask, mergeSegments, openSegment, SegmentBuilder } from "@tributary/retrieval"
import { Context, Effect, Layer } from "effect"

/** A segment, and the numbers of its documents that are left out. */
export interface MergePart {
  readonly bytes: Uint8Array
  readonly hidden: ReadonlyArray<number>
}

/** Whether a query may wait for what is built. A host with threads keeps the two apart. */
export const IndexUrgency = Context.Reference<"urgent" | "patient">("@tributary/core/ports/IndexUrgency", {
  defaultValue: () => "urgent"
})

export class IndexBuilder extends Context.Service<IndexBuilder, {
  /** Of documents that fit one segment. */
  build(documents: ReadonlyArray<IndexDocument>): Effect.Effect<Uint8Array>
  /** One segment of everything that is not hidden. */
  merge(parts: ReadonlyArray<MergePart>): Effect.Effect<Uint8Array>
}>()("@tributary/core/ports/IndexBuilder") {
  static readonly layer = Layer.succeed(IndexBuilder, {
    build: (documents) =>
      Effect.sync(() => {
        const builder = new SegmentBuilder()
        for (const document of documents) builder.add(document)
        return builder.build()
      }),
    merge: (parts) =>
      Effect.sync(() =>
        mergeSegments(parts.map(({ bytes, hidden }) => {
          const segment = openSegment(bytes)
          return { segment, mask: new Mask(segment, hidden) }
        }))
      )
  })
}
