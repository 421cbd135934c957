/** The state of a context, from its snapshots and the latest jobs that build it. */
import type { KnowledgeStatus } from "../model/KnowledgeStatus.ts"
import type { Job } from "../ports/JobStore.ts"
import type { Head, Snapshot } from "../ports/KnowledgeStore.ts"
import { isRebuild } from "./contextJobs.ts"

/** How a job ends that needs no explanation, even if an earlier attempt failed. */
const FINE: ReadonlySet<Job["status"]> = new Set(["succeeded", "cancelled"])

/** After this many, the next attempt probably fails, too. */
const MAX_ATTEMPTS = 5

const isRetry = ({ error, status }: Job): boolean => status === "queued" && error !== null

const hasFailed = (job: Job): boolean => job.status === "failed" || (isRetry(job) && job.attempt >= MAX_ATTEMPTS)

/** Why it failed, and when it is tried again. */
const errorOf = (job: Job): string | null => {
  if (FINE.has(job.status) || job.error === null) return null
  return isRetry(job) ? `${job.error.message} The next attempt is at ${job.run_at.toISOString()}.` : job.error.message
}

const stateOf = (upToDate: boolean, latest: Job | undefined): KnowledgeStatus["state"] => {
  if (latest !== undefined && hasFailed(latest)) return "failed"
  if (!upToDate) return "rebuilding"
  return latest?.status === "running" ? "refreshing" : "ready"
}

export const knowledgeStatus = (
  head: Head,
  pending_documents: number,
  jobs: ReadonlyArray<Job>,
  loaded: Snapshot | null,
  evidence_watermark: Date | null
): KnowledgeStatus => {
  const { snapshot } = head
  const isDue = jobs.some((job) => isRebuild(job) && job.finished_at === null)
  // An import has snapshots to build, and does not change the settings.
  const up_to_date = snapshot === null ? head.generation === 0 && !isDue : snapshot.generation === head.generation
  // A refresh that waits for its time says nothing yet, except why it failed before.
  const counts = ({ error, finished_at, status }: Job) => status === "running" || finished_at !== null || error !== null
  const latest = jobs.find((job) => up_to_date ? counts(job) : isRebuild(job))
  const state = stateOf(up_to_date, latest)
  return {
    loaded: loaded !== null,
    up_to_date,
    latest_snapshot: snapshot?.snapshot_id ?? null,
    latest_built_at: snapshot?.built_at ?? null,
    loaded_snapshot: loaded?.snapshot_id ?? null,
    evidence_watermark,
    state,
    progress: latest?.status === "running" ? latest.progress : null,
    pending_documents,
    error: latest === undefined ? null : errorOf(latest)
  }
}
