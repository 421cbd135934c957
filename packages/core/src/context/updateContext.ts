/** Updates a workspace's context by a job: its segments, then its vectors. */
import { Effect } from "effect"
import type { Attempt } from "../jobs/runJob.ts"
import { embedContext } from "../search/embedding/embedContext.ts"
import { publishRebuilt } from "../webhooks/publishRebuilt.ts"
import { isRebuild } from "./contextJobs.ts"
import { rebuildContext } from "./rebuildContext.ts"
import { refreshContext } from "./refreshContext.ts"
import { retryRead } from "./retryRead.ts"

export const updateContext = Effect.fnUntraced(function*({ job, lease, report }: Attempt) {
  const { job_id, workspace_id } = job
  const fencingToken = { job_id, lease }
  if (isRebuild(job)) {
    yield* rebuildContext(workspace_id, fencingToken, report)
    yield* publishRebuilt(workspace_id, job_id)
  } else {
    yield* retryRead(workspace_id, refreshContext(workspace_id, fencingToken))
  }
  yield* retryRead(workspace_id, embedContext(workspace_id, fencingToken))
  return null
})
