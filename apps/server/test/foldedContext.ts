/** Waits for the context of a workspace, under the clock of tests. */
import type { WorkspaceId } from "@tributary/core/model/Id"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Waits until everything is refreshed or rebuilt. */
export const foldedContext = (id: WorkspaceId) =>
  Effect.gen(function*() {
    yield* TestClock.adjust("1 second")
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    const { change_seq, generation, snapshot } = yield* (yield* KnowledgeStore).head(id)
    return snapshot?.change_seq === change_seq && snapshot.generation === generation
  }).pipe(Effect.repeat({ until: (isFolded) => isFolded }))
