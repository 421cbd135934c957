/** Reads the segments of views: as many as fit stay loaded, and each other one is read for one query. */
import { Effect, Semaphore } from "effect"
import type { WorkspaceId } from "../../model/Id.ts"
import type { KnowledgeStore, Span } from "../../ports/KnowledgeStore.ts"
import { countLookup } from "./contextMetrics.ts"
import { readSegment, SegmentGone } from "../segments/readSegment.ts"
import type { ServedViews } from "./ServedViews.ts"
import { maskedPart, missingSegments, type Part, partsIn, type View, withLoaded } from "../View.ts"

/** How many segments are loaded at once for a query. */
const LOADED_AT_ONCE = 4

/** `later` runs writes to the cache, which no query waits for. */
export const partReader = Effect.fnUntraced(
  function*(served: ServedViews, later: (task: Effect.Effect<void>) => Effect.Effect<void>) {
    const services = yield* Effect.context<KnowledgeStore>()
    const { loaded } = served

    /** Segments that do not fit are read one at a time, for all queries together. */
    const turn = Semaphore.makeUnsafe(1)

    const segmentOf = Effect.fnUntraced(
      function*(workspaceId: WorkspaceId, { snapshot }: View, segmentId: string) {
        const isSuspect = served.of(workspaceId).suspectSnapshotId === snapshot?.snapshot_id
        return loaded.get(workspaceId, segmentId) ??
          (yield* readSegment(workspaceId, segmentId, { isSuspect, later }))
      },
      Effect.provide(services)
    )

    /** The view with what fits of the range loaded. */
    const load = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, range: Span) {
      yield* countLookup(view, range)
      loaded.touch(workspaceId, view, range)
      const missing = loaded.admissible(workspaceId, view, range)
      if (missing.length === 0) return view
      const loadOne = Effect.fnUntraced(function*(segmentId: string) {
        const segment = yield* segmentOf(workspaceId, view, segmentId)
        loaded.set(workspaceId, segmentId, segment)
        return [segmentId, segment] as const
      })
      return withLoaded(
        view,
        new Map(
          yield* Effect.forEach(missing, ({ segment_id }) => loadOne(segment_id), { concurrency: LOADED_AT_ONCE })
        )
      )
    })

    const part = Effect.fnUntraced(function*(workspaceId: WorkspaceId, view: View, segmentId: string) {
      const shown = view.parts.find(({ segment_id }) => segment_id === segmentId)
      if (shown !== undefined) return shown
      const stored = view.snapshot?.segments.find(({ segment_id }) => segment_id === segmentId)
      if (stored === undefined) return yield* new SegmentGone({ segmentId })
      return maskedPart(view, stored, yield* segmentOf(workspaceId, view, segmentId))
    })

    const each = Effect.fnUntraced(
      function*<A, E, R>(
        workspaceId: WorkspaceId,
        view: View,
        range: Span,
        read: (parts: ReadonlyArray<Part>) => Effect.Effect<A, E, R>
      ) {
        const results = [yield* read(partsIn(view, range))]
        for (const { segment_id } of missingSegments(view, range)) {
          const apart = Effect.flatMap(part(workspaceId, view, segment_id), (part) => read([part]))
          results.push(yield* turn.withPermit(apart))
        }
        return results
      }
    )

    return { load, part, each }
  }
)
