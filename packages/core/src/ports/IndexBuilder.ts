/** Builds and merges segments: in the calling thread by default, or elsewhere if a host provides another builder. */
import { type IndexDocument, type MergePart, mergeParts, segmentDraft } from "@tributary/retrieval"
import { Context, Effect, type Scope } from "effect"

export type { MergePart }

/** A segment that is built while its documents arrive. */
export interface SegmentDraft {
  /** Added documents are not referenced afterwards. All of them must fit into one segment. */
  add(documents: ReadonlyArray<IndexDocument>): Effect.Effect<void>
  /** The segment of all added documents, in order, equal to one built at once. Ends the draft. */
  readonly finish: Effect.Effect<Uint8Array>
}

/** Where segments are built: `@tributary/node/IndexThreads` does it in worker threads. */
export interface SegmentBuilding {
  /** The bytes of a segment of these documents, which must fit into one. */
  build(documents: ReadonlyArray<IndexDocument>): Effect.Effect<Uint8Array>
  /** One segment of all documents that are not masked. */
  merge(parts: ReadonlyArray<MergePart>): Effect.Effect<Uint8Array>
  /** For work that no query waits for. Other drafts may have to wait until the scope ends. */
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

/** The builder of the service, which builds in the calling thread by default. */
export const IndexBuilder = Context.Reference<SegmentBuilding>("@tributary/core/ports/IndexBuilder", {
  defaultValue: () => inCallingThread
})
