/** The jobs that update a workspace's context, one at a time per workspace. */
import type { WorkspaceId } from "../model/Id.ts"
import { type NewJob, UNTIL_DONE } from "../ports/JobStore.ts"
import { newJob } from "../jobs/newJob.ts"

export const CONTEXT_QUEUE = "context"

const REFRESH = JSON.stringify({ type: "refresh" })
const REBUILD = JSON.stringify({ type: "rebuild" })

const job = (workspaceId: WorkspaceId, now: number, payload: string): NewJob =>
  newJob(workspaceId, now, {
    queue: CONTEXT_QUEUE,
    key: workspaceId,
    payload,
    // Nothing else brings the context up to date, unless there is another change.
    max_attempts: UNTIL_DONE,
    deadline_seconds: 3_600,
    joins: false
  })

/** Refreshes shortly after the first change, so that a burst needs one refresh. */
export const refreshJob = (workspaceId: WorkspaceId, now: number): NewJob => ({
  ...job(workspaceId, now, REFRESH),
  run_at: new Date(now + 1_000),
  joins: true
})

/** Refreshes when nothing has changed for a while: a change before then joins the two. */
export const delayedRefreshJob = (workspaceId: WorkspaceId, now: number): NewJob => ({
  ...refreshJob(workspaceId, now),
  run_at: new Date(now + 60_000)
})

/** Refreshes at once, under an id of its own. */
export const refreshNowJob = (workspaceId: WorkspaceId, now: number): NewJob => job(workspaceId, now, REFRESH)

export const rebuildJob = (workspaceId: WorkspaceId, now: number): NewJob => job(workspaceId, now, REBUILD)

export const isRebuild = ({ payload }: { readonly payload: string }): boolean => payload === REBUILD
