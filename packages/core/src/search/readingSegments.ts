/** Segments are read as they are needed, so what is wrong with them may show in the middle of a query. */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Effect } from "effect"
import { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { ContextViews, SegmentGone } from "../context/ContextViews.ts"

/** A publication between two segments makes one more round; they are seconds apart. */
const ROUNDS = 5

const isGone = (failure: unknown): failure is SegmentGone => failure instanceof SegmentGone

const inRounds = <A, E, R>(
  read: Effect.Effect<A, E | SegmentGone, R>,
  rounds: number
): Effect.Effect<A, Exclude<E, SegmentGone> | StorageUnavailable, R> =>
  read.pipe(Effect.catch((failure) =>
    !isGone(failure)
      ? Effect.fail(failure as Exclude<E, SegmentGone>)
      : rounds === 0
      ? Effect.fail(new StorageUnavailable({ cause: failure }))
      : inRounds(read, rounds - 1)
  ))

const distrusting = <A, E, R>(workspaceId: WorkspaceId, read: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(read, (defect) =>
    defect instanceof SegmentUnreadable
      ? Effect.gen(function*() {
        const views = yield* ContextViews
        yield* views.reloadCorrupt(workspaceId, defect)
        return yield* read
      })
      : Effect.die(defect))

/**
 * Begins once more when a segment turns out to be damaged, and again when that was a copy and the stored one is damaged,
 * too; and with what is published now when one of them is gone.
 */
export const readingSegments = <A, E, R>(workspaceId: WorkspaceId, read: Effect.Effect<A, E | SegmentGone, R>) =>
  distrusting(workspaceId, distrusting(workspaceId, inRounds(read, ROUNDS)))
