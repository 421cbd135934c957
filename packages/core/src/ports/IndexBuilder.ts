/** Builds and merges segments; in the calling thread by default, elsewhere where a host provides it. */
import type { IndexDocument } from "@tributary/retrieval"
import { Context, Effect, Layer, type Scope } from "effect"
import { mergeParts } from "../internal/mergeParts.ts"
import { segmentDraft } from "../internal/segmentDraft.ts"

/** A segment, and the numbers of its documents that are left out. */
export interface MergePart {
  readonly bytes: Uint8Array
  readonly hidden: ReadonlyArray<number>
}

/** A segment that is built of documents as they come. */
export interface SegmentDraft {
  /** Nothing of what was added is needed here any more. All that is added has to fit one segment. */
  add(documents: ReadonlyArray<IndexDocument>): Effect.Effect<void>
  /** Of everything that was added, in its order: the same as if it had come at once. Ends the draft. */
  readonly finish: Effect.Effect<Uint8Array>
}

export class IndexBuilder extends Context.Service<IndexBuilder, {
  /** Of documents that fit one segment. */
  build(documents: ReadonlyArray<IndexDocument>): Effect.Effect<Uint8Array>
  /** One segment of everything that is not hidden. */
  merge(parts: ReadonlyArray<MergePart>): Effect.Effect<Uint8Array>
  /** For what no query waits for. Others may have to wait until the scope ends. */
  readonly draft: Effect.Effect<SegmentDraft, never, Scope.Scope>
}>()("@tributary/core/ports/IndexBuilder") {
  static readonly layer = Layer.succeed(IndexBuilder, {
    build: (documents) =>
      Effect.sync(() => {
        const draft = segmentDraft()
        draft.add(documents)
        return draft.finish()
      }),
    merge: (parts) => Effect.sync(() => mergeParts(parts)),
    draft: Effect.sync(() => {
      const draft = segmentDraft()
      return {
        add: (documents: ReadonlyArray<IndexDocument>) => Effect.sync(() => draft.add(documents)),
        finish: Effect.sync(draft.finish)
      }
    })
  })
}
