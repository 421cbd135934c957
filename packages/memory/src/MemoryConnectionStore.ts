/** Connections and the states of their resources in memory. */
import { ConnectorId, type WorkspaceId } from "@tributary/core/model/Id"
import { ConnectionStore, isUnderWay, type ResourceRef } from "@tributary/core/ports/ConnectionStore"
import { Effect, Layer, Option } from "effect"
import { copied, found } from "./internal/copied.ts"
import { byText, Ordered } from "./internal/Ordered.ts"
import { type ConnectionRow, State } from "./internal/State.ts"

export const layer = Layer.effect(
  ConnectionStore,
  Effect.gen(function*() {
    const { jobs, workspaces } = yield* State

    const rowOf = (workspaceId: WorkspaceId, { connection_id }: Pick<ResourceRef, "connection_id">) =>
      workspaces.get(workspaceId)?.connections.get(connection_id)

    const goneOf = ({ gone }: ConnectionRow, resource: string): Set<string> => {
      const known = gone.get(resource) ?? new Set<string>()
      gone.set(resource, known)
      return known
    }

    return ConnectionStore.of({
      insert: (workspaceId, connection, maximum) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          if (workspace === undefined || workspace.connections.size >= maximum) return "full"
          const { connected_at, connection_id, created_by, name, provider } = connection
          const connector_id = ConnectorId.make(connection_id)
          workspace.connections.set(connection_id, {
            connection: copied(connection),
            states: new Map(),
            gone: new Map(),
            runs: new Ordered((left, right) => byText(left.run_id, right.run_id))
          })
          workspace.connectors.set(
            connector_id,
            copied({
              connector_id,
              name,
              source_name: `${provider}:${connection_id}`,
              created_at: connected_at,
              created_by,
              is_active: true,
              accepted_kinds: [],
              metadata: {}
            })
          )
          return "inserted"
        }),

      find: (workspaceId, connection_id) => Effect.sync(() => found(rowOf(workspaceId, { connection_id })?.connection)),

      list: (workspaceId) =>
        Effect.sync(() =>
          [...workspaces.get(workspaceId)?.connections.values() ?? []]
            .map(({ connection }) => copied(connection))
            .sort((left, right) =>
              right.connected_at.getTime() - left.connected_at.getTime() ||
              byText(right.connection_id, left.connection_id)
            )
        ),

      update: (workspaceId, connection_id, change, from) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, { connection_id })
          if (row === undefined || (from !== null && row.connection.status !== from)) return Option.none()
          row.connection = { ...row.connection, ...copied(change) }
          const connectors = workspaces.get(workspaceId)!.connectors
          const origin = connectors.get(ConnectorId.make(connection_id))!
          connectors.set(origin.connector_id, { ...origin, is_active: row.connection.status !== "paused" })
          return Option.some(copied(row.connection))
        }),

      reseal: (workspaceId, connection_id, before, after) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, { connection_id })
          if (row?.connection.secrets !== before) return false
          row.connection = { ...row.connection, secrets: after }
          return true
        }),

      remove: (workspaceId, connection_id) =>
        Effect.sync(() => {
          const workspace = workspaces.get(workspaceId)
          const origin = workspace?.connectors.get(ConnectorId.make(connection_id))
          if (workspace?.connections.delete(connection_id) !== true || origin === undefined) return false
          workspace.connectors.set(origin.connector_id, { ...origin, is_active: false })
          return true
        }),

      states: (workspaceId, connection_id) =>
        Effect.sync(() =>
          [...rowOf(workspaceId, { connection_id })?.states.values() ?? []]
            .map(({ cursor: _c, ...state }) => copied(state))
            .sort((left, right) => byText(left.resource, right.resource))
        ),

      findState: (workspaceId, ref) => Effect.sync(() => found(rowOf(workspaceId, ref)?.states.get(ref.resource))),

      addStates: (workspaceId, states) =>
        Effect.sync(() => {
          for (const state of states) {
            const row = rowOf(workspaceId, state)
            if (row?.states.has(state.resource) === false) row.states.set(state.resource, copied(state))
          }
        }),

      saveState: (workspaceId, state, holder, follow) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, state)
          const present = row?.states.get(state.resource)
          if (row === undefined || present?.job_id !== holder) return false
          if (follow !== null) {
            if (isUnderWay(present) && holder !== null && jobs.isLive(holder)) return false
            jobs.enqueue(follow, null)
          }
          row.states.set(state.resource, copied(state))
          return true
        }),

      due: (now, limit) =>
        Effect.sync(() =>
          [...workspaces].filter(([, { record }]) => !record.suspended).flatMap(([workspace_id, { connections }]) =>
            [...connections.values()].filter(({ connection }) => connection.status === "active")
              .flatMap(({ connection, states }) =>
                [...states.values()].filter(({ due_at, job_id, resource, status }) =>
                  connection.resources.includes(resource) && (
                    (due_at !== null && due_at <= now) ||
                    (isUnderWay({ status }) && job_id !== null && !jobs.isLive(job_id))
                  )
                )
              )
              .map(({ connection_id, resource }) => ({ workspace_id, connection_id, resource }))
          ).slice(0, limit)
        ),

      noteDeletions: (workspaceId, ref, { gone, there }) =>
        Effect.sync(() => {
          const row = rowOf(workspaceId, ref)
          if (row === undefined) return
          const noted = goneOf(row, ref.resource)
          const { documents } = workspaces.get(workspaceId)!
          for (const externalId of there) noted.delete(externalId)
          for (const externalId of gone) {
            if (documents.findByExternalId(ConnectorId.make(ref.connection_id), externalId)) noted.add(externalId)
          }
        }),

      deletions: (workspaceId, ref, limit) =>
        Effect.sync(() => [...rowOf(workspaceId, ref)?.gone.get(ref.resource) ?? []].sort(byText).slice(0, limit)),

      countDeletions: (workspaceId, ref) =>
        Effect.sync(() => rowOf(workspaceId, ref)?.gone.get(ref.resource)?.size ?? 0)
    })
  })
)
