/** The jobs that update a workspace's context, one at a time per workspace. */
import { Schema } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import type { NewJob } from "../ports/JobStore.ts"
import { newJob } from "../jobs/newJob.ts"

export const CONTEXT_QUEUE = "context"

const ContextTask = Schema.fromJsonString(Schema.Struct({ type: Schema.Literals(["refresh", "rebuild"]) }))

const job = (workspaceId: WorkspaceId, now: number, type: "refresh" | "rebuild"): NewJob =>
  newJob(workspaceId, now, {
    queue: CONTEXT_QUEUE,
    key: workspaceId,
    payload: JSON.stringify({ type }),
    max_attempts: 5,
    deadline_seconds: 3_600,
    joins: false
  })

/** Refreshes shortly after the first change, so that a burst needs one refresh. */
export const refreshJob = (workspaceId: WorkspaceId, now: number): NewJob => ({
  ...job(workspaceId, now, "refresh"),
  run_at: new Date(now + 1_000),
  joins: true
})

/** Refreshes when nothing has changed for a while: a change before then joins the two. */
export const settleJob = (workspaceId: WorkspaceId, now: number): NewJob => ({
  ...refreshJob(workspaceId, now),
  run_at: new Date(now + 60_000)
})

/** Refreshes at once, under an id of its own. */
export const refreshNowJob = (workspaceId: WorkspaceId, now: number): NewJob => job(workspaceId, now, "refresh")

export const rebuildJob = (workspaceId: WorkspaceId, now: number): NewJob => job(workspaceId, now, "rebuild")

const readTask = Schema.decodeSync(ContextTask)

export const isRebuild = (job: { readonly payload: string }): boolean => readTask(job.payload).type === "rebuild"
