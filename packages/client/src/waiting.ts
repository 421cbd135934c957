/** Waits for background work: the knowledge context, and ask jobs. */
import type { KnowledgeStatus } from "@tributary/core/model/KnowledgeStatus"
import { MAX_WAIT_SECONDS } from "@tributary/http/api/Knowledge"
import { Duration, Effect } from "effect"
import { Override } from "./Policy.ts"
import { CallerError } from "./CallerError.ts"
import { TributaryClient } from "./TributaryClient.ts"
import { TributaryError } from "./TributaryError.ts"

/** The first look comes at once, the next ones after waits that grow to this. */
const MAX_WAIT = 5_000
const FIRST_WAIT = 200

const failed = ({ error }: KnowledgeStatus) =>
  new TributaryError({
    code: "build_failed",
    message: error ?? "The knowledge context could not be built."
  })

/** Ends with the first status that is up to date; fails when the build did. */
export const untilUpToDate = Effect.fnUntraced(function*(onProgress?: (status: KnowledgeStatus) => void) {
  const { knowledge } = yield* TributaryClient
  for (let wait = FIRST_WAIT;; wait = Math.min(MAX_WAIT, wait * 1.5)) {
    const status = yield* knowledge.getStatus()
    yield* Effect.try({ try: () => onProgress?.(status), catch: (thrown) => new CallerError({ thrown }) })
    if (status.up_to_date) return status
    if (status.state === "failed") return yield* Effect.fail(failed(status))
    yield* Effect.sleep(wait)
  }
})

// The service holds its answer back: that is no reason to give the attempt up.
const PATIENT = { attemptTimeout: Duration.seconds(2 * MAX_WAIT_SECONDS), timeout: Duration.minutes(5) }

/** Ends with the job once it has ended, however it did. */
export const untilJobEnds = Effect.fnUntraced(function*(jobId: string) {
  const { knowledge } = yield* TributaryClient
  while (true) {
    const look = knowledge.getAskJob({ params: { job_id: jobId }, query: { wait: MAX_WAIT_SECONDS } })
    const job = yield* Effect.provideService(look, Override, PATIENT)
    if (job.status !== "queued" && job.status !== "running") return job
  }
})
