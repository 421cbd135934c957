/** Runs the jobs of the queue `maintenance`. Each step is idempotent, so an attempt may stop anywhere. */
import { Clock, Effect, Schema } from "effect"
import { MAX_CONNECTORS } from "../model/Connector.ts"
import type { ConnectorId, WorkspaceId } from "../model/Id.ts"
import { DocumentStore } from "../ports/DocumentStore.ts"
import { JobStore } from "../ports/JobStore.ts"
import { WorkspaceStore } from "../ports/WorkspaceStore.ts"
import { refreshJob } from "../context/contextJobs.ts"
import { MAINTENANCE_QUEUE, MaintenanceTask } from "./maintenanceJobs.ts"
import type { Attempt } from "./runJob.ts"

// Small enough that ingest and deletions of the workspace run in between.
const STEP = 500

const deleteDocuments = Effect.fnUntraced(
  function*(workspaceId: WorkspaceId, connectorId: ConnectorId, until: number) {
    const documents = yield* DocumentStore
    let deleted = 0
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const removed = yield* documents.remove(
        workspaceId,
        { connector_id: connectorId, first: STEP, until },
        new Date(now),
        refreshJob(workspaceId, now)
      )
      deleted += removed.length
      if (removed.length < STEP) return deleted
    }
  }
)

/**
 * Carries out what jobs would still delete of a connector, before it takes documents again: also what comes unchanged.
 * Returns the `change_seq` up to which it is done; up to `done` it was before.
 */
export const finishDeletions = Effect.fnUntraced(function*(
  workspaceId: WorkspaceId,
  connectorId: ConnectorId,
  done: number
) {
  const jobs = yield* JobStore
  let last = done
  for (const status of ["queued", "running"] as const) {
    const waiting = yield* jobs.list(workspaceId, MAINTENANCE_QUEUE, { status, after: null, limit: MAX_CONNECTORS })
    for (const { payload } of waiting) {
      const task = yield* Effect.orDie(Schema.decodeEffect(MaintenanceTask)(payload))
      if (task.type !== "delete_documents" || task.connector_id !== connectorId) continue
      const { until = Number.MAX_SAFE_INTEGER } = task
      if (until <= done) continue
      yield* deleteDocuments(workspaceId, connectorId, until)
      last = Math.max(last, until)
    }
  }
  return last
})

/** Runs one job and returns its result. */
export const maintenance = Effect.fn("maintenance.run")(function*({ job }: Pick<Attempt, "job">) {
  const task = yield* Effect.orDie(Schema.decodeEffect(MaintenanceTask)(job.payload))
  switch (task.type) {
    case "delete_documents":
      return JSON.stringify({
        documents_deleted: yield* deleteDocuments(
          job.workspace_id,
          task.connector_id,
          task.until ?? Number.MAX_SAFE_INTEGER
        )
      })
    case "erase_workspace":
      yield* (yield* WorkspaceStore).erase(job.workspace_id)
      return null
  }
})
