/** The only place that retries a read: meanwhile segments are replaced, documents change, and copies get damaged. */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Effect } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { ContextViews } from "./ContextViews.ts"
import { SegmentGone } from "./segments/readSegment.ts"

/** Enough for a damaged copy, a damaged original and a publication in one read; publications are seconds apart. */
const ATTEMPTS = 5

const isFailed = (answer: unknown): answer is SegmentGone | SegmentUnreadable =>
  answer instanceof SegmentGone || answer instanceof SegmentUnreadable

/** Runs `read` until it succeeds and is complete. An incomplete result is accepted only from the last attempt. */
export const retryRead = Effect.fnUntraced(function*<A, E, R>(
  workspaceId: WorkspaceId,
  read: Effect.Effect<A, E | SegmentGone, R>,
  isComplete: (answer: A) => boolean = () => true
) {
  const views = yield* ContextViews
  const attempt = read.pipe(
    Effect.catch((failure) => failure instanceof SegmentGone ? Effect.succeed(failure) : Effect.fail(failure)),
    Effect.catchDefect((defect) => defect instanceof SegmentUnreadable ? Effect.succeed(defect) : Effect.die(defect))
  )
  for (let left = ATTEMPTS - 1;; left--) {
    const answer = yield* attempt
    if (isFailed(answer)) {
      if (left === 0) return yield* new StorageUnavailable({ cause: answer })
      yield* views.recover(workspaceId, answer)
    } else if (left === 0 || isComplete(answer)) {
      return answer
    }
  }
})
