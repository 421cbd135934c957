/**
 * Text that is deleted or replaced stays in the bytes of segments at first, where nothing reads it. After a while they are
 * written again without it, also where nothing else changes.
 */
import { Clock, Effect } from "effect"
import type { WorkspaceId } from "../model/Id.ts"
import { JobStore } from "../ports/JobStore.ts"
import { type Hiding, KnowledgeStore } from "../ports/KnowledgeStore.ts"
import { refreshJob } from "./contextJobs.ts"

/** Until the next sweep an hour goes by, and another one until servers where nobody searches follow: less than a day. */
const LONGEST = 21 * 3_600_000

/** How many workspaces are asked for at a time. */
const PAGE = 500

/** Whether it is time to write the bytes again, which comes once in `LONGEST` for each segment, however much changes. */
export const isDue = ({ since }: Hiding, now: number): boolean => since < now - LONGEST

/** Queues a refresh of every workspace that has something due; those of several servers join. */
export const remindHiding = Effect.gen(function*() {
  const [jobs, knowledge] = [yield* JobStore, yield* KnowledgeStore]
  const now = yield* Clock.currentTimeMillis
  let page: ReadonlyArray<WorkspaceId> = []
  do {
    page = yield* knowledge.hiding(new Date(now - LONGEST), { after: page.at(-1) ?? null, limit: PAGE })
    yield* Effect.forEach(page, (workspaceId) => jobs.enqueue(refreshJob(workspaceId, now), null), { discard: true })
  } while (page.length === PAGE)
})
