/** Changes a connection, and the states of its resources accordingly. */
import { Clock, Effect, Option, Struct } from "effect"
import type { ConnectionPatch, SyncConfig, SyncConfigPatch } from "../model/Connection.ts"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { Principal } from "../model/Principal.ts"
import { resolveRange } from "../model/TemporalRange.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"
import { auditing } from "../people/auditing.ts"
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

/** Whether the patch names nothing to change. */
export const changesNothing = ({ config, name, status, sync_config }: ConnectionPatch): boolean =>
  !config && typeof name !== "string" && !status && sync_config?.start === undefined &&
  typeof sync_config?.interval_minutes !== "number"

/** As another change may come in between. */
const TRIES = 5

export const changeConnection = Effect.fnUntraced(
  function*(workspace: WorkspaceRecord, connectionId: string, patch: ConnectionPatch, by: Principal) {
    const store = yield* ConnectionStore
    const audit = yield* auditing
    const workspaceId = workspace.workspace_id
    const change = Effect.fnUntraced(function*(present: ConnectionRecord) {
      const config = patch.config ? yield* newConfig(workspaceId, present, patch.config) : {}
      const now = yield* Clock.currentTimeMillis
      const sync_config = merged(present.sync_config, patch.sync_config)
      const restarts = Boolean(patch.config) || reachOf(sync_config, now) < reachOf(present.sync_config, now)
      const status = patch.status ?? (patch.config && present.status === "error" ? "active" : present.status)
      const { connection_id, resources } = { ...present, ...config }
      const states = resources.map((resource) => newState(connection_id, resource, now))
      const updated = yield* audit(
        store.update(
          workspaceId,
          connection_id,
          {
            ...config,
            ...(typeof patch.name === "string" ? { name: patch.name } : {}),
            sync_config,
            status,
            error: status === "error" ? present.error : null,
            revision: present.revision + (restarts ? 1 : 0)
          },
          Struct.pick(present, ["status", "revision", "sync_config"]),
          states
        ),
        { action: "connection.changed", by, in: workspace, subject: connection_id }
      )
      return Option.map(updated, (connection) => ({ connection, present, restarts, now }))
    })
    const changed = yield* findConnection(store, workspaceId, connectionId).pipe(
      Effect.flatMap(change),
      Effect.repeat({ until: Option.isSome, times: TRIES })
    )
    if (Option.isNone(changed)) return yield* new StorageUnavailable({ cause: "the connection does not come to rest" })
    const { connection, now, present, restarts } = changed.value
    const { connection_id, resources, status, sync_config } = connection

    const next = (state: SyncRecord) =>
      afterChange(state, {
        isPulled: resources.includes(state.resource),
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
