/** How long jobs wait and run, by queue, so that operators see a backlog or failures. */
import { Effect, Metric } from "effect"
import type { Job } from "../ports/JobStore.ts"

/** In seconds, up to 3 hours; a watch of a source may take longer. */
const BOUNDARIES = Metric.exponentialBoundaries({ start: 0.01, factor: 4, count: 11 })

const waited = Metric.histogram("tributary_job_wait_seconds", {
  description: "How long jobs that were due waited until an attempt began",
  boundaries: BOUNDARIES
})

const took = Metric.histogram("tributary_job_duration_seconds", {
  description: "How long attempts at jobs took",
  boundaries: BOUNDARIES
})

/** Records a finished attempt; times are milliseconds. */
export const recordAttempt = ({ queue, run_at }: Job, outcome: string, began: number, now: number) =>
  Effect.all([
    Metric.update(
      Metric.withAttributes(waited, { queue }),
      Math.max(0, began - run_at.getTime()) / 1_000
    ),
    Metric.update(
      Metric.withAttributes(took, { queue, outcome }),
      (now - began) / 1_000
    )
  ], { discard: true })
