/** Builds and merges segments: in the calling thread by default, elsewhere where a host provides another builder. */
import { type IndexDocument, type MergePart, mergeParts, segmentDraft } from "@tributary/retrieval"
import { Context, Effect, type Scope } from "effect"

export type { MergePart }

/** A segment that is built while its documents arrive. */
export interface SegmentDraft {
  /** Nothing of what was added is needed here any more. All that is added has to fit one segment. */
  add(documents: ReadonlyArray<IndexDocument>): Effect.Effect<void>
  /** Of everything that was added, in its order: the same as if it had come at once. Ends the draft. */
  readonly finish: Effect.Effect<Uint8Array>
}

export interface SegmentBuilding {
  /** Of documents that fit one segment. */
  build(documents: ReadonlyArray<IndexDocument>): Effect.Effect<Uint8Array>
  /** One segment of everything that is not hidden. */
  merge(parts: ReadonlyArray<MergePart>): Effect.Effect<Uint8Array>
  /** For what no query waits for. Others may have to wait until the scope ends. */
  readonly draft: Effect.Effect<SegmentDraft, never, Scope.Scope>
}

const inCallingThread: SegmentBuilding = {
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
}

export const IndexBuilder = Context.Reference<SegmentBuilding>("@tributary/core/ports/IndexBuilder", {
  defaultValue: () => inCallingThread
})
