/**
 * Deletions at a source.
 *
 * They are marked first, beside the checkpoint, and decided together at the end of a sync: a source that suddenly loses
 * many documents is usually broken.
 */
import { Clock, Effect } from "effect"
import type { DigestSet } from "../../ingest/DigestSet.ts"
import { ConnectorId, type WorkspaceId } from "../../model/Id.ts"
import { ConnectionStore, type ResourceRef } from "../../ports/ConnectionStore.ts"
import { DocumentStore } from "../../ports/DocumentStore.ts"
import type { FencingToken } from "../../ports/JobStore.ts"
import { refreshJob } from "../../context/contextJobs.ts"

/** Fewer are never held. */
const FEW = 20
/** Nor a smaller share of the resource's documents. */
const SHARE = 0.15

const PAGE = 500

/** What the external ids of a resource's documents begin with. */
export const prefixOf = (resource: string): string => `${resource}/`

/** Those of the connection's other resources inside of it: a folder's name may start with that of its parent. */
const nestedPrefixes = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, { connection_id, resource }: ResourceRef) {
    const states = yield* (yield* ConnectionStore).states(workspaceId, connection_id)
    return states.map((state) => prefixOf(state.resource))
      .filter((other) => other !== prefixOf(resource) && other.startsWith(prefixOf(resource)))
  }
)

/** The number of stored documents of a resource. */
export const countStored = Effect.fnUntraced(function*(workspaceId: WorkspaceId, ref: ResourceRef) {
  const documents = yield* DocumentStore
  const except = yield* nestedPrefixes(workspaceId, ref)
  return yield* documents.count(workspaceId, ConnectorId.make(ref.connection_id), {
    prefix: prefixOf(ref.resource),
    except
  })
})

interface Dated {
  readonly external_id: string
  readonly last: Date
}

/** Stored documents of a resource and of those inside of it, in pages. */
const eachPage = Effect.fnUntraced(function*<E, R>(
  workspaceId: WorkspaceId,
  { connection_id, resource }: ResourceRef,
  visit: (page: ReadonlyArray<Dated>) => Effect.Effect<void, E, R>
) {
  const documents = yield* DocumentStore
  const prefix = prefixOf(resource)
  for (let after: string | null = null;;) {
    const page: ReadonlyArray<{ external_id: string; timestamp: Date; ends_at: Date | null }> = yield* documents
      .externalIds(workspaceId, ConnectorId.make(connection_id), { prefix, after, limit: PAGE })
    yield* visit(page.map(({ ends_at, external_id, timestamp }) => ({ external_id, last: ends_at ?? timestamp })))
    if (page.length < PAGE) return
    after = page.at(-1)!.external_id
  }
})

/** What a complete listing says about the documents of a resource. */
interface Listing {
  readonly listed: DigestSet
  /** Documents whose ids begin so were not looked for. */
  readonly unlisted: ReadonlyArray<string>
  /** Nor were older ones. */
  readonly since: Date | null
}

/** Marks documents that the listing lacks. False positives of the set stay. */
export const markMissing = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  ref: ResourceRef,
  { listed, since, unlisted }: Listing,
  fencingToken: FencingToken
) {
  const store = yield* ConnectionStore
  const isUnlisted = (external_id: string) => unlisted.some((beginning) => external_id.startsWith(beginning))
  const areNoted = (yield* store.countDeletions(workspaceId, ref)) > 0
  const visit = Effect.fnUntraced(function*(page: ReadonlyArray<Dated>) {
    const missing: Array<string> = []
    const there: Array<string> = []
    for (const { external_id, last } of page) {
      if (listed.has(external_id)) there.push(external_id)
      else if ((since === null || last >= since) && !isUnlisted(external_id)) missing.push(external_id)
    }
    // Read after the page, which may have documents of a resource that was discovered since the sync began.
    const nested = missing.length === 0 ? [] : yield* nestedPrefixes(workspaceId, ref)
    const gone = missing.filter((external_id) => !nested.some((other) => external_id.startsWith(other)))
    // Nearly always everything still exists, and nothing was marked before.
    if (gone.length > 0 || areNoted) yield* store.noteDeletions(workspaceId, ref, { gone, there }, fencingToken)
  })
  yield* eachPage(workspaceId, ref, visit)
})

/** Deletes the marked documents. Returns their number. Ends the sync if its attempt has lost its lease. */
export const carryOutDeletions = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  { connection_id, resource }: ResourceRef,
  fencingToken?: FencingToken
) {
  const store = yield* ConnectionStore
  const documents = yield* DocumentStore
  const connector_id = ConnectorId.make(connection_id)
  let deleted = 0
  let taken: string | undefined
  while (true) {
    const gone = yield* store.deletions(workspaceId, { connection_id, resource }, PAGE)
    if (gone.length === 0) return deleted
    // Only the sync marks documents, and those of the page before are still marked.
    if (fencingToken !== undefined && gone[0] === taken) return yield* Effect.interrupt
    taken = gone[0]
    const now = yield* Clock.currentTimeMillis
    const removed = yield* documents.remove(
      workspaceId,
      { connector_id, resource, gone },
      new Date(now),
      refreshJob(workspaceId, now),
      fencingToken
    )
    deleted += removed.length
  }
})

/**
 * Deletes the marked documents, unless there are too many, or some of them are held already: then they are `held`.
 * Returns the number of deleted and of remaining documents.
 */
export const decideDeletions = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, ref: ResourceRef, heldBefore: number, fencingToken: FencingToken) {
    const noted = yield* (yield* ConnectionStore).countDeletions(workspaceId, ref)
    const count = countStored(workspaceId, ref)
    // Somebody was asked about them: that a few are back, or that the source has grown, is no answer.
    const areHeld = heldBefore > 0 && noted > 0
    if (areHeld || noted >= FEW) {
      const stored = yield* count
      if (areHeld || noted > stored * SHARE) return { held: noted, deleted: 0, documents: stored }
    }
    return { held: 0, deleted: yield* carryOutDeletions(workspaceId, ref, fencingToken), documents: yield* count }
  }
)
