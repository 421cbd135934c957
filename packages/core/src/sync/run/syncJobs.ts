/** Jobs that sync one resource of a connection: one at a time per resource, on any node. */
import { Schema } from "effect"
import { ConnectionId, type WorkspaceId } from "../../model/Id.ts"
import type { ResourceRef } from "../../ports/ConnectionStore.ts"
import type { NewJob } from "../../ports/JobStore.ts"
import { newJob } from "../../jobs/newJob.ts"

export const SYNC_QUEUE = "sync"

/** The payload of these jobs. */
export const ResourceTask = Schema.fromJsonString(
  Schema.Struct({
    connection_id: ConnectionId,
    resource: Schema.String,
    /** The resource's state may belong to another sync that still runs. */
    is_further: Schema.optionalKey(Schema.Boolean),
    /** Everything is pulled again. */
    is_complete: Schema.optionalKey(Schema.Boolean)
  })
)

export const syncJob = (workspaceId: WorkspaceId, { connection_id, resource }: ResourceRef, now: number): NewJob =>
  newJob(workspaceId, now, {
    queue: SYNC_QUEUE,
    key: `${connection_id}/${resource}`,
    payload: JSON.stringify({ connection_id, resource }),
    // For nodes that die and storage failures; errors of the source are not failures of the job.
    max_attempts: 10,
    deadline_seconds: 6 * 3_600,
    joins: false
  })

/** After the running sync, which may have passed the change. Shared by all requests until it starts. */
export const furtherSyncJob = (
  workspaceId: WorkspaceId,
  { connection_id, resource }: ResourceRef,
  now: number,
  is_complete = false
): NewJob => ({
  ...syncJob(workspaceId, { connection_id, resource }, now),
  payload: JSON.stringify({ connection_id, resource, is_further: true, ...is_complete && { is_complete } }),
  joins: true
})
