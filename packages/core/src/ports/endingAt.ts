import type { NewJob } from "./JobStore.ts"

/** The job with the field `until` in its payload. */
export const endingAt = (job: NewJob, until: number): NewJob => ({
  ...job,
  payload: JSON.stringify({ ...JSON.parse(job.payload), until })
})
