/**
 * Deleted or replaced text first stays in the bytes of segments, where no query reads it. After a while the segments
 * are written again without it, even if nothing else changes.
 */
import { Clock, Effect } from "effect"
import { isFromFuture } from "../internal/clockSkew.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { JobStore } from "../ports/JobStore.ts"
import { KnowledgeStore, type MaskedText } from "../ports/KnowledgeStore.ts"
import { dueTimes } from "../scheduling/dueTimes.ts"
import { refreshJob } from "./contextJobs.ts"

/** The next sweep is an hour later, and servers without searches follow another hour later: less than a day in all. */
const MAX_AGE = 21 * 3_600_000

/** How many workspaces are read at a time. */
const PAGE = 500

/**
 * Whether the bytes must be written again; at most once in `MAX_AGE` for each segment, however much changes.
 */
export const isDue = ({ since }: MaskedText, now: number): boolean => since < now - MAX_AGE || isFromFuture(since, now)

/** Returns what queues a refresh for every workspace that needs it; those of several servers join. */
export const queueingPurges = () => {
  const dueUntil = dueTimes()
  return Effect.gen(function*() {
    const [jobs, knowledge] = [yield* JobStore, yield* KnowledgeStore]
    const now = yield* Clock.currentTimeMillis
    const until = new Date(dueUntil(now).getTime() - MAX_AGE)
    let page: ReadonlyArray<WorkspaceId> = []
    do {
      page = yield* knowledge.withMaskedText(until, { after: page.at(-1) ?? null, limit: PAGE })
      yield* Effect.forEach(page, (workspaceId) => jobs.enqueue(refreshJob(workspaceId, now), null), { discard: true })
    } while (page.length === PAGE)
  })
}
