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

/** The series of a metric by their attributes, kept because making one takes longer than counting. */
const seriesOf = <Attributes extends ReadonlyArray<string>>(
  make: (...attributes: Attributes) => Metric.Histogram<number>
) => {
  const made = new Map<string, Metric.Histogram<number>>()
  return (...attributes: Attributes): Metric.Histogram<number> => {
    const key = attributes.join(" ")
    const known = made.get(key) ?? make(...attributes)
    made.set(key, known)
    return known
  }
}

const waitedOf = seriesOf((queue: string) => Metric.withAttributes(waited, { queue }))
const tookOf = seriesOf((queue: string, outcome: string) => Metric.withAttributes(took, { queue, outcome }))

/** Records a finished attempt; times are milliseconds. */
export const recordAttempt = ({ queue, run_at }: Job, outcome: string, began: number, now: number) =>
  Effect.andThen(
    Metric.update(waitedOf(queue), Math.max(0, began - run_at.getTime()) / 1_000),
    Metric.update(tookOf(queue, outcome), (now - began) / 1_000)
  )
