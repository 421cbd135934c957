/**
 * Bounds what pushed and pulled changes leave besides what the caps of a plan count, which is the text of documents, or the bytes of
 * a file: their metadata, the events, which have the metadata of each change and are kept for months, the text that a
 * compressed file unpacks to, and the payload that is sent with it. Each process counts by itself.
 */
import { Clock, Context, Effect } from "effect"
import { metadataLength } from "../documents/metadataLength.ts"
import { RateLimitExceeded } from "../model/Error.ts"
import { limitsFor, type WorkspaceRecord } from "../model/Workspace.ts"
import type { Admission, Verdict } from "../ports/DocumentStore.ts"
import { failureWindows } from "../scheduling/failureWindows.ts"

const DAY_SECONDS = 86_400

/** The characters of a day in a workspace with a small cap on its storage. In others, they are as many as its bytes. */
const MIN_CHARACTERS = 100_000_000

/** The ids, times and kind of an event, about. */
const EVENT = 200

/**
 * A document may hold this many characters for each byte of its size: the text of a file, and the payload beside it. Prose
 * in a Word file has five at most.
 */
const UNPACKED = 8

const costOf = ({ chunks, external_id, metadata, payload, size, title, url }: Admission): number => {
  const content = chunks.reduce((sum, chunk) => sum + chunk.length, payload?.length ?? 0)
  const fields = external_id.length + (title?.length ?? 0) + (url?.length ?? 0)
  return EVENT + Math.max(0, content - UNPACKED * size) + fields + metadataLength({ metadata })
}

const isStored = ({ status }: Verdict): boolean => status === "created" || status === "updated"

const changeBudget = () => {
  const spent = failureWindows()
  return Effect.fnUntraced(function*<A extends ReadonlyArray<Verdict> | null, E, R>(
    workspace: WorkspaceRecord,
    items: ReadonlyArray<Admission>,
    admitting: Effect.Effect<A, E, R>
  ) {
    const { workspace_id } = workspace
    const { storage } = limitsFor(workspace)
    if (storage === null) return yield* admitting
    const budget = { limit: Math.max(MIN_CHARACTERS, storage), window_seconds: DAY_SECONDS }
    const costs = items.map(costOf)
    const cost = costs.reduce((sum, each) => sum + each, 0)
    const now = yield* Clock.currentTimeMillis
    const retry_after = spent.wait(workspace_id, { ...budget, limit: budget.limit - cost }, now)
    if (retry_after > 0) {
      const message =
        "This workspace has changed too many documents today, or documents with too much metadata or compressed text."
      return yield* new RateLimitExceeded({ endpoint: "ingest", ...budget, remaining: 0, retry_after, message })
    }
    const charge = (amount: number) => spent.fail(workspace_id, budget, now, amount)
    // Before it is known what changes, so that requests at the same time share the budget.
    charge(cost)
    const verdicts = yield* Effect.onError(admitting, () => Effect.sync(() => charge(-cost)))
    const changed = costs.reduce(
      (sum, each, index) => verdicts?.[index] && isStored(verdicts[index]) ? sum + each : sum,
      0
    )
    charge(changed - cost)
    return verdicts
  })
}

/** Runs an admission within the budget. Only changes count in the end. A day begins with whatever fits into one request. */
export const ChangeBudget = Context.Reference("@tributary/core/ChangeBudget", { defaultValue: changeBudget })
