/** Segments are checked as they are read, so damage may show in the middle of a query. */
import { SegmentUnreadable } from "@tributary/retrieval"
import { Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { ContextViews } from "./ContextViews.ts"

/** Begins once more, without the stored segments, when one of them turns out to be damaged. */
export const readingSegments = <A, E, R>(workspaceId: WorkspaceId, read: Effect.Effect<A, E, R>) =>
  Effect.catchDefect(read, (defect) =>
    defect instanceof SegmentUnreadable
      ? Effect.gen(function*() {
        const views = yield* ContextViews
        yield* views.distrust(workspaceId, defect)
        return yield* read
      })
      : Effect.die(defect))
