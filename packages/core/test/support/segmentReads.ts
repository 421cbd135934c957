/** A store that records which segments are read, and runs a test's hook before each read. */
import { Effect, Option } from "effect"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"

export const segmentReads = (lacks?: string) => {
  const read: Array<string> = []
  const state: { before: Effect.Effect<void> } = { before: Effect.void }
  const storeOf = (store: KnowledgeStore["Service"]) =>
    KnowledgeStore.of({
      ...store,
      getSegment: Effect.fnUntraced(function*(workspaceId, segmentId) {
        read.push(segmentId)
        yield* state.before
        return segmentId === lacks ? Option.none() : yield* store.getSegment(workspaceId, segmentId)
      })
    })
  return { read, state, storeOf }
}
