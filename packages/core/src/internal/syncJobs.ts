/** The jobs that pull one resource of a connection: one at a time per resource, wherever they run. */
import { Schema } from "effect"
import { ConnectionId, JobId, type WorkspaceId } from "../model/Id.ts"
import type { ResourceRef } from "../ports/ConnectionStore.ts"
import type { NewJob } from "../ports/JobStore.ts"
import { uuid7 } from "./uuid7.ts"

export const SYNC_QUEUE = "sync"

export const SyncTask = Schema.fromJsonString(Schema.Struct({ connection_id: ConnectionId, resource: Schema.String }))

export const syncJob = (workspaceId: WorkspaceId, { connection_id, resource }: ResourceRef, now: number): NewJob => ({
  job_id: JobId.make(uuid7(now)),
  workspace_id: workspaceId,
  queue: SYNC_QUEUE,
  key: `${connection_id}/${resource}`,
  payload: JSON.stringify({ connection_id, resource }),
  created_at: new Date(now),
  run_at: new Date(now),
  // Of nodes that die with it, and of a storage that is away; what the source does wrong is no failure of the job.
  max_attempts: 10,
  deadline_seconds: 6 * 3_600,
  joins: false
})
