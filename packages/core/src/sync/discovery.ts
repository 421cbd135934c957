/** Resources that appear and disappear at a connected source. */
import { Clock, Effect, Option } from "effect"
import { MAX_RESOURCES } from "../model/Connection.ts"
import type { WorkspaceId } from "../model/Id.ts"
import {
  type ConnectionRecord,
  ConnectionStore,
  type ResourceRef,
  type SyncRecord,
  type SyncSummary
} from "../ports/ConnectionStore.ts"
import type { Provider } from "../ports/Provider.ts"
import { rewriteState } from "./run/rewriteStates.ts"
import { isStopped, newState } from "./run/syncStates.ts"
import { listResources } from "./listResources.ts"

/** The current resources of the source; none if they do not vary, or the source cannot be asked. */
export const currentResources = (provider: Provider, config: unknown) =>
  provider.resourcesVary?.(config) === true ? Effect.option(listResources(provider, config)) : Effect.succeedNone

/** One resource of a connection looks for new ones: the first that is still synced, and did not fail last. */
export const discoversResources = (
  { resources }: ConnectionRecord,
  resource: string,
  states: ReadonlyArray<SyncSummary>
): boolean => {
  const stopped = new Set(states.filter(isStopped).map((state) => state.resource))
  const failing = new Set(states.filter(({ attempt }) => attempt > 0).map((state) => state.resource))
  const synced = resources.filter((one) => !stopped.has(one))
  return (synced.find((one) => !failing.has(one)) ?? synced[0]) === resource
}

/** Changes the resources, unless the connection was changed meanwhile. */
const changeResources = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  { connection_id, revision }: ConnectionRecord,
  change: (resources: ReadonlyArray<string>) => ReadonlyArray<string>,
  states: ReadonlyArray<SyncRecord> = []
) {
  const store = yield* ConnectionStore
  const present = yield* store.find(workspaceId, connection_id)
  if (Option.isNone(present) || present.value.revision !== revision) return false
  const resources = change(present.value.resources)
  return Option.isSome(yield* store.update(workspaceId, connection_id, { resources }, { revision }, states))
})

/** Starts to pull a resource again that existed before, and is back. */
const restart = Effect.fnUntraced(function*(workspaceId: WorkspaceId, ref: ResourceRef) {
  const now = yield* Clock.currentTimeMillis
  const fresh = newState(ref.connection_id, ref.resource, now)
  yield* rewriteState(workspaceId, ref, (state) => isStopped(state) ? fresh : state, now)
})

/** A resource that comes back while its last sync runs is not started by what finds it. */
export const restartReappeared = Effect.fnUntraced(function*(workspaceId: WorkspaceId, ref: ResourceRef) {
  const present = yield* (yield* ConnectionStore).find(workspaceId, ref.connection_id)
  if (Option.exists(present, ({ resources }) => resources.includes(ref.resource))) yield* restart(workspaceId, ref)
})

/** Starts to pull new resources. */
export const addResources = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, connection: ConnectionRecord, named: ReadonlyArray<string>) {
    const added = named.filter((name) => !connection.resources.includes(name))
      .slice(0, Math.max(0, MAX_RESOURCES - connection.resources.length))
    if (added.length === 0) return
    const store = yield* ConnectionStore
    const { connection_id } = connection
    const now = yield* Clock.currentTimeMillis
    const states = added.map((resource) => newState(connection_id, resource, now))
    const all = (resources: ReadonlyArray<string>) => [...new Set([...resources, ...added])]
    if (!(yield* changeResources(workspaceId, connection, all, states))) return
    for (const state of yield* store.states(workspaceId, connection_id)) {
      if (added.includes(state.resource)) yield* restart(workspaceId, state)
    }
  }
)

/** Stops pulling a resource. */
export const dropResource = (workspaceId: WorkspaceId, connection: ConnectionRecord, resource: string) =>
  changeResources(workspaceId, connection, (resources) => resources.filter((one) => one !== resource))
