/** Stores items at the pace of the context. */
import { Clock, Context, Effect } from "effect"
import { Overloaded } from "../model/Error.ts"
import { limitsFor, type WorkspaceRecord } from "../model/Workspace.ts"
import { type Admission, type DocumentSource, DocumentStore } from "../ports/DocumentStore.ts"
import type { FencingToken } from "../ports/JobStore.ts"
import { refreshJob } from "../context/contextJobs.ts"

/**
 * How many chunks may wait for a refresh of a workspace's context before ingest waits: a search indexes waiting chunks
 * before it answers, so this bounds its latency. Null: ingest never waits.
 */
export const PendingChunks = Context.Reference<number | null>("@tributary/core/PendingChunks", {
  defaultValue: () => 5_000
})

/** Milliseconds between two attempts. */
const STEP = 100

/** Retries while too much is waiting, and gives up after `patience` milliseconds. */
export const admission = Effect.gen(function*() {
  const documents = yield* DocumentStore
  const pending = yield* PendingChunks
  return Effect.fnUntraced(
    function*(
      workspace: WorkspaceRecord,
      origin: DocumentSource,
      items: ReadonlyArray<Admission>,
      patience: number,
      fencingToken?: FencingToken
    ) {
      const { workspace_id } = workspace
      // Items that are all too large need no room.
      const caps = { ...limitsFor(workspace), pending: items.every(({ oversized }) => oversized) ? null : pending }
      // Not a generator, which would keep the items in memory until the next full garbage collection.
      const attempt = (admissions: ReadonlyArray<Admission>) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          // A new job each time: the previous one may have run already, and no job runs twice.
          (now) =>
            documents.admit(workspace_id, origin, admissions, {
              caps,
              now: new Date(now),
              follow: refreshJob(workspace_id, now),
              fencingToken
            })
        )
      let waited = 0
      while (true) {
        const verdicts = yield* attempt(items)
        if (verdicts !== "behind") return verdicts
        // An item that is too large is never stored: it shows whether others would be, without sending them.
        const probes = items.slice(0, 1).map((item) => ({ ...item, chunks: [], payload: null, oversized: true }))
        do {
          if (waited >= patience) {
            yield* Effect.logWarning("ingest refused: too much waits for a refresh of the context").pipe(
              Effect.annotateLogs({ workspace_id, waited_ms: waited })
            )
            return yield* new Overloaded({
              message: "Too much of this workspace is waiting to be indexed. Try again later."
            })
          }
          yield* Effect.sleep(STEP)
          waited += STEP
        } while ((yield* attempt(probes)) === "behind")
      }
    }
  )
})
