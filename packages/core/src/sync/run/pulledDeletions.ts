/**
 * Deletions at a source, from when they are heard of until they are carried out.
 *
 * They are noted first, beside the checkpoint, and judged together at the end of a sync: a source that suddenly misses
 * much of what it had is more often broken than emptied.
 */
import { Clock, Effect } from "effect"
import type { DigestSet } from "../../ingest/DigestSet.ts"
import { ConnectorId, type WorkspaceId } from "../../model/Id.ts"
import { ConnectionStore, type ResourceRef } from "../../ports/ConnectionStore.ts"
import { DocumentStore } from "../../ports/DocumentStore.ts"
import { refreshJob } from "../../context/contextJobs.ts"

/** Fewer are never held. */
const FEW = 20
/** Nor is less than this share of what is stored of the resource. */
const SHARE = 0.15

const PAGE = 500

/** A folder's name may begin with that of the folder that it lies in. */
const prefixesOf = (resource: string, others: ReadonlyArray<string>) => {
  const prefix = `${resource}/`
  return { prefix, except: others.filter((other) => other.startsWith(prefix)).map((other) => `${other}/`) }
}

/** How many documents of a resource are stored. `others` are the connection's other resources. */
export const countStored = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, { connection_id, resource }: ResourceRef, others: ReadonlyArray<string>) {
    const documents = yield* DocumentStore
    return yield* documents.count(workspaceId, ConnectorId.make(connection_id), prefixesOf(resource, others))
  }
)

/** Stored documents of a resource, page by page. */
const eachPage = Effect.fnUntraced(function*<E, R>(
  workspaceId: WorkspaceId,
  { connection_id, resource }: ResourceRef,
  others: ReadonlyArray<string>,
  visit: (page: ReadonlyArray<{ readonly external_id: string; readonly last: Date }>) => Effect.Effect<void, E, R>
) {
  const documents = yield* DocumentStore
  const { except, prefix } = prefixesOf(resource, others)
  for (let after: string | null = null;;) {
    const page: ReadonlyArray<{ external_id: string; timestamp: Date; ends_at: Date | null }> = yield* documents
      .externalIds(workspaceId, ConnectorId.make(connection_id), { prefix, after, limit: PAGE })
    yield* visit(
      page.filter(({ external_id }) => !except.some((other) => external_id.startsWith(other)))
        .map(({ ends_at, external_id, timestamp }) => ({ external_id, last: ends_at ?? timestamp }))
    )
    if (page.length < PAGE) return
    after = page.at(-1)!.external_id
  }
})

/** Notes as gone what is stored within the window and not among `listed`; what is taken for one of them stays. */
export const noteMissing = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  of: ResourceRef,
  others: ReadonlyArray<string>,
  listed: DigestSet,
  since: Date | null
) {
  const store = yield* ConnectionStore
  const areNoted = (yield* store.countDeletions(workspaceId, of)) > 0
  yield* eachPage(workspaceId, of, others, (page) => {
    const gone: Array<string> = []
    const there: Array<string> = []
    for (const { external_id, last } of page) {
      if (listed.has(external_id)) there.push(external_id)
      else if (since === null || last >= since) gone.push(external_id)
    }
    // Nearly always all is there, and nothing was noted before.
    return gone.length > 0 || areNoted ? store.noteDeletions(workspaceId, of, { gone, there }) : Effect.void
  })
})

/** Carries out what is noted; says how many documents went. */
export const carryOutDeletions = Effect.fnUntraced(function*(workspaceId: WorkspaceId, of: ResourceRef) {
  const store = yield* ConnectionStore
  const documents = yield* DocumentStore
  const connector_id = ConnectorId.make(of.connection_id)
  let deleted = 0
  while (true) {
    const external_ids = yield* store.deletions(workspaceId, of, PAGE)
    if (external_ids.length === 0) return deleted
    const now = yield* Clock.currentTimeMillis
    const removed = yield* documents.remove(
      workspaceId,
      { connector_id, external_ids },
      new Date(now),
      refreshJob(workspaceId, now)
    )
    yield* store.noteDeletions(workspaceId, of, { gone: [], there: external_ids })
    deleted += removed.length
  }
})

/**
 * Carries out what is noted, unless it is too much to be done unasked: then it is `held`. Says how many documents went,
 * and how many are stored after it.
 */
export const judgeDeletions = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, of: ResourceRef, others: ReadonlyArray<string>) {
    const noted = yield* (yield* ConnectionStore).countDeletions(workspaceId, of)
    const count = countStored(workspaceId, of, others)
    if (noted >= FEW) {
      const stored = yield* count
      if (noted > stored * SHARE) return { held: noted, deleted: 0, documents: stored }
    }
    return { held: 0, deleted: yield* carryOutDeletions(workspaceId, of), documents: yield* count }
  }
)
