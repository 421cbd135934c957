/** Changes a connection, and the states of its resources accordingly. */
import { Clock, Effect } from "effect"
import type { ConnectionPatch, SyncConfig, SyncConfigPatch } from "../model/Connection.ts"
import { ConnectionNotFound } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { resolveRange } from "../model/TemporalRange.ts"
import { type ConnectionRecord, ConnectionStore, type SyncRecord } from "../ports/ConnectionStore.ts"
import { providerOf, replacedConfig } from "./connectionConfig.ts"
import { findConnection } from "./findConnection.ts"
import { Providers } from "./Providers.ts"
import { rewriteState } from "./run/rewriteStates.ts"
import { afterChange, newState } from "./run/syncStates.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { tryConfig } from "./tryConfig.ts"

export const merged = (present: SyncConfig, patch: SyncConfigPatch | null | undefined): SyncConfig => ({
  start: patch?.start === undefined ? present.start : patch.start,
  interval_minutes: patch?.interval_minutes ?? present.interval_minutes
})

const reachOf = ({ start }: SyncConfig, now: number): number => resolveRange({ start, end: null }, now).from

const newConfig = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, present: ConnectionRecord, sent: NonNullable<ConnectionPatch["config"]>) {
    const provider = yield* providerOf(yield* Providers, present.provider)
    const fields = yield* replacedConfig(yield* SecretBox, workspaceId, present, sent)
    return yield* tryConfig(workspaceId, present.connection_id, provider, fields)
  }
)

export const changeConnection = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, connectionId: string, patch: ConnectionPatch) {
    const store = yield* ConnectionStore
    const present = yield* findConnection(store, workspaceId, connectionId)
    const { connection_id } = present
    const config = patch.config ? yield* newConfig(workspaceId, present, patch.config) : {}
    const now = yield* Clock.currentTimeMillis
    const sync_config = merged(present.sync_config, patch.sync_config)
    const restarts = Boolean(patch.config) || reachOf(sync_config, now) < reachOf(present.sync_config, now)
    const status = patch.status ?? (patch.config && present.status === "error" ? "active" : present.status)
    const updated = yield* store.update(workspaceId, connection_id, {
      ...config,
      ...(typeof patch.name === "string" ? { name: patch.name } : {}),
      sync_config,
      status,
      error: status === "error" ? present.error : null,
      revision: present.revision + (restarts ? 1 : 0)
    }, null)
    const connection = yield* Effect.fromOption(updated, () => new ConnectionNotFound())

    yield* store.addStates(workspaceId, connection.resources.map((resource) => newState(connection_id, resource, now)))
    const next = (state: SyncRecord) =>
      afterChange(state, {
        isPulled: connection.resources.includes(state.resource),
        isPaused: status === "paused",
        restarts,
        isRevived: status === "active" && present.status !== "active",
        latest: new Date(now + sync_config.interval_minutes * 60_000)
      }, now)
    for (const state of yield* store.states(workspaceId, connection_id)) {
      yield* rewriteState(workspaceId, state, next, now)
    }
    return connection
  }
)
