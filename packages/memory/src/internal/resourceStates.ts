/** The states of the resources of connections, and the documents of theirs that are gone at the source. */
import { ConnectorId, type WorkspaceId } from "@tributary/core/model/Id"
import { isUnderWay } from "@tributary/core/model/isUnderWay"
import { type ConnectionStore, type ResourceRef, type SyncRecord } from "@tributary/core/ports/ConnectionStore"
import { Clock, Effect } from "effect"
import { copied, found } from "./copied.ts"
import { byCodePoint } from "./Ordered.ts"
import type { ConnectionRow, State } from "./State.ts"

type Methods =
  | "states"
  | "findState"
  | "saveState"
  | "due"
  | "noteDeletions"
  | "deletions"
  | "countDeletions"

/** Those of resources without one. */
export const addStates = ({ states }: ConnectionRow, added: ReadonlyArray<SyncRecord>): void => {
  for (const state of added) {
    if (!states.has(state.resource)) states.set(state.resource, copied(state))
  }
}

export const resourceStates = (
  { jobs, workspaces }: State["Service"]
): Pick<ConnectionStore["Service"], Methods> => {
  const rowOf = (workspaceId: WorkspaceId, { connection_id }: Pick<ResourceRef, "connection_id">) =>
    workspaces.get(workspaceId)?.connections.get(connection_id)

  /** Without those that somebody has deleted meanwhile. */
  const goneOf = (workspaceId: WorkspaceId, ref: ResourceRef): ReadonlyArray<string> =>
    [...rowOf(workspaceId, ref)?.gone.get(ref.resource) ?? []]
      .filter((id) => workspaces.get(workspaceId)!.documents.findByExternalId(ConnectorId.make(ref.connection_id), id))

  /** Its time has come, or its job has ended without an end of the sync. */
  const isDue = (state: SyncRecord, now: Date): boolean =>
    (state.due_at !== null && state.due_at <= now) ||
    (isUnderWay(state) && state.job_id !== null && !jobs.isLive(state.job_id))

  return {
    states: (workspaceId, connection_id) =>
      Effect.sync(() =>
        [...rowOf(workspaceId, { connection_id })?.states.values() ?? []]
          .map(({ cursor: _c, ...state }) => copied(state))
          .sort((left, right) => byCodePoint(left.resource, right.resource))
      ),

    findState: (workspaceId, ref) => Effect.sync(() => found(rowOf(workspaceId, ref)?.states.get(ref.resource))),

    saveState: (workspaceId, state, holder, follow, fencingToken) =>
      Effect.map(Clock.currentTimeMillis, (millis) => {
        const row = rowOf(workspaceId, state)
        const present = row?.states.get(state.resource)
        if (row === undefined || present?.job_id !== holder || !jobs.mayWrite(fencingToken, millis)) return false
        if (follow !== null) {
          if (isUnderWay(present) && holder !== null && jobs.isLive(holder)) return false
          jobs.enqueue(follow, null)
        }
        row.states.set(state.resource, copied(state))
        return true
      }),

    due: (now, limit) =>
      Effect.sync(() => {
        const due: Array<ResourceRef & { readonly workspace_id: WorkspaceId }> = []
        for (const [workspace_id, { connections, record }] of workspaces) {
          if (record.suspended) continue
          for (const { connection: { connection_id, status }, states } of connections.values()) {
            if (status !== "active") continue
            for (const state of states.values()) {
              const { resource } = state
              if (due.length === limit) return due
              if (isDue(state, now)) due.push({ workspace_id, connection_id, resource })
            }
          }
        }
        return due
      }),

    noteDeletions: (workspaceId, ref, { gone, there }, fencingToken) =>
      Effect.map(Clock.currentTimeMillis, (millis) => {
        const row = rowOf(workspaceId, ref)
        if (row === undefined || !jobs.mayWrite(fencingToken, millis)) return
        const noted = row.gone.get(ref.resource) ?? new Set<string>()
        row.gone.set(ref.resource, noted)
        const { documents } = workspaces.get(workspaceId)!
        for (const externalId of there) noted.delete(externalId)
        for (const externalId of gone) {
          if (documents.findByExternalId(ConnectorId.make(ref.connection_id), externalId)) noted.add(externalId)
        }
      }),

    deletions: (workspaceId, ref, limit) =>
      Effect.sync(() => goneOf(workspaceId, ref).toSorted(byCodePoint).slice(0, limit)),

    countDeletions: (workspaceId, ref) => Effect.sync(() => goneOf(workspaceId, ref).length)
  }
}
