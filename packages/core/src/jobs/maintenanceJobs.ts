/** Jobs that delete large amounts of data in bounded steps. */
import { Schema } from "effect"
import { ConnectorId, type WorkspaceId } from "../model/Id.ts"
import { type NewJob, UNTIL_DONE } from "../ports/JobStore.ts"
import { newJob } from "./newJob.ts"

export const MAINTENANCE_QUEUE = "maintenance"

const Task = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("delete_documents"),
    connector_id: ConnectorId,
    /** A `change_seq`. Absent in jobs of earlier releases, which delete everything. */
    until: Schema.optionalKey(Schema.Int)
  }),
  Schema.Struct({ type: Schema.Literal("erase_workspace") })
])

export const MaintenanceTask = Schema.fromJsonString(Task)

const job = (workspaceId: WorkspaceId, now: number, task: typeof Task.Type): NewJob =>
  newJob(workspaceId, now, {
    queue: MAINTENANCE_QUEUE,
    key: workspaceId,
    payload: JSON.stringify(task),
    // Nobody can request the deletion again.
    max_attempts: UNTIL_DONE,
    deadline_seconds: 3_600,
    joins: true
  })

/** Deletes everything that a connector delivered. */
export const deleteDocumentsJob = (workspaceId: WorkspaceId, connectorId: ConnectorId, now: number): NewJob =>
  job(workspaceId, now, { type: "delete_documents", connector_id: connectorId })

/** Deletes every row of a closed workspace. */
export const eraseWorkspaceJob = (workspaceId: WorkspaceId, now: number): NewJob =>
  job(workspaceId, now, { type: "erase_workspace" })
