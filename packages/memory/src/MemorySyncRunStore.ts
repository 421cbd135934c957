/** Syncs that have ended, in memory. */
import type { ConnectionId, WorkspaceId } from "@tributary/core/model/Id"
import type { SyncRun } from "@tributary/core/model/SyncRun"
import { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import { Effect, Layer } from "effect"
import { copied } from "./internal/copied.ts"
import { State } from "./internal/State.ts"

export const layer = Layer.effect(
  SyncRunStore,
  Effect.gen(function*() {
    const { workspaces } = yield* State

    const runsOf = (workspaceId: WorkspaceId, connectionId: ConnectionId) =>
      workspaces.get(workspaceId)?.connections.get(connectionId)?.runs

    return {
      append: (workspaceId, run, kept) =>
        Effect.sync(() => {
          const runs = runsOf(workspaceId, run.connection_id)
          const isStored = ({ resource, run_id }: SyncRun) => resource === run.resource && run_id === run.run_id
          if (runs === undefined || runs.where(isStored, 1).length > 0) return
          runs.add(copied(run))
          const ofResource = runs.where(({ resource }) => resource === run.resource)
          for (const old of ofResource.slice(0, -kept)) runs.remove(old)
        }),

      list: (workspaceId, connectionId, { after, limit, resource }) =>
        Effect.sync(() =>
          copied(
            runsOf(workspaceId, connectionId)?.descending(
              limit,
              ({ run_id }) => after !== null && run_id >= after,
              (run) => resource === null || run.resource === resource
            ) ?? []
          )
        )
    }
  })
)
