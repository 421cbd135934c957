/** Segments are read as they are needed, so what is wrong with them may show in the middle of a query. */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Effect } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { ContextViews, SegmentGone } from "./ContextViews.ts"

/** A publication between two segments makes one more round; they are seconds apart. */
const ROUNDS = 5

const isGone = (failure: unknown): failure is SegmentGone => failure instanceof SegmentGone

/**
 * Begins once more, without the stored segments, when one of them turns out to be damaged; and with what is published
 * now when one of them is gone.
 */
export const readingSegments = <A, E, R>(workspaceId: WorkspaceId, read: Effect.Effect<A, E | SegmentGone, R>) =>
  Effect.retry(read, { while: isGone, times: ROUNDS }).pipe(
    Effect.catchIf(isGone, (cause) => Effect.fail(new StorageUnavailable({ cause }))),
    (rounds) =>
      Effect.catchDefect(rounds, (defect) =>
        defect instanceof SegmentUnreadable
          ? Effect.gen(function*() {
            const views = yield* ContextViews
            yield* views.distrust(workspaceId, defect)
            return yield* rounds
          })
          : Effect.die(defect))
  )
