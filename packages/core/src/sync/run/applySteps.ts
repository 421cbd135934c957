/** Stores a provider's steps in batches; a checkpoint is stored after everything before it. */
import { Effect } from "effect"
import { DigestSet } from "../../ingest/DigestSet.ts"
import type { StorageUnavailable } from "../../model/Error.ts"
import { ConnectionStore } from "../../ports/ConnectionStore.ts"
import type { DocumentStore } from "../../ports/DocumentStore.ts"
import { FatalFailure, type PulledItem, type RetryableFailure, type SyncStep } from "../../ports/Provider.ts"
import type { TextExtractor } from "../../ports/TextExtractor.ts"
import { originOf } from "../findConnection.ts"
import { appendNamed, quotaReason, withoutItems } from "./leftOut.ts"
import { admitPulled } from "./admitPulled.ts"
import { markMissing, prefixOf } from "./pulledDeletions.ts"
import type { ActiveSync } from "./ActiveSync.ts"
import { StepBatch } from "./StepBatch.ts"

/** Reported like failures of the source. */
const OUTSIDE = new FatalFailure({ message: "The provider named a document outside of the resource that it pulled." })

type Services = ConnectionStore | DocumentStore | TextExtractor

/** `take` adds a step to the batch, and flushes when it is full; `flush` stores it. */
export const applySteps = (
  { connection, leftOut, note, ref, report, save, since, state, fencingToken, workspace }: ActiveSync
) => {
  const { workspace_id } = workspace
  const origin = originOf(connection)
  const listed = new DigestSet()
  let batch = new StepBatch()

  /** Ends the sync if the connection does not accept items any more, or not from this attempt. */
  const admitItems = Effect.fnUntraced(function*(items: ReadonlyArray<PulledItem>) {
    const result = yield* admitPulled(workspace, origin, items, fencingToken)
    if (result === null) return yield* Effect.interrupt
    for (const item of result.rejected) leftOut.add(item.external_id, quotaReason(item))
    for (const { external_id, reason } of result.skipped) leftOut.add(external_id, reason)
    note({
      items_ingested: state().items_ingested + result.ingested,
      rejected: appendNamed(state().rejected, result.rejected),
      skipped: appendNamed(state().skipped, result.skipped)
    })
  })

  const flush = Effect.gen(function*() {
    const { deletions, externalIds, items, skipped } = batch
    batch = new StepBatch()
    note({ rejected: withoutItems(state().rejected, externalIds), skipped: withoutItems(state().skipped, externalIds) })
    const store = yield* ConnectionStore
    // First, so that no deletion that is confirmed meanwhile takes what is admitted here.
    const there = items.map(({ external_id }) => external_id).filter((external_id) => !deletions.has(external_id))
    if (there.length > 0) yield* store.noteDeletions(workspace_id, ref, { gone: [], there }, fencingToken)
    if (items.length > 0) yield* admitItems(items)
    note({ skipped: appendNamed(state().skipped, skipped) })
    if (deletions.size > 0) {
      yield* store.noteDeletions(workspace_id, ref, { gone: [...deletions], there: [] }, fencingToken)
    }
  })

  const isOurs = (external_id: string): boolean => external_id.startsWith(prefixOf(ref.resource))

  const isListed = ({ external_id }: { readonly external_id: string }): boolean => listed.has(external_id)

  const take = Effect.fnUntraced(
    function*(step: SyncStep): Effect.fn.Return<void, FatalFailure | RetryableFailure | StorageUnavailable, Services> {
      switch (step._tag) {
        case "Upsert":
          if (!isOurs(step.item.external_id)) return yield* OUTSIDE
          batch.upsert(step.item)
          // The count is stored with each batch: after a crash, the items of the batch are unchanged and do not count.
          return batch.isFull ? yield* Effect.andThen(flush, save({})) : undefined
        case "Delete":
          if (!isOurs(step.external_id)) return yield* OUTSIDE
          batch.delete(step.external_id)
          return batch.hasMostDeletions ? yield* flush : undefined
        case "Skipped":
          leftOut.add(step.external_id, step.reason)
          return batch.skip(step)
        case "Checkpoint":
          yield* flush
          yield* save({ cursor: step.cursor, completed_windows: step.done, total_windows: step.total })
          return yield* report(step.done, step.total)
        case "Listed":
          for (const external_id of step.external_ids) listed.add(external_id)
          return
        case "Complete": {
          yield* flush
          const { ofAnyAge = false, unlisted = [] } = step
          note({ rejected: state().rejected.filter(isListed), skipped: state().skipped.filter(isListed) })
          return yield* markMissing(
            workspace_id,
            ref,
            { listed, unlisted, since: ofAnyAge ? null : since },
            fencingToken
          )
        }
      }
    }
  )

  return { flush, take }
}
