/**
 * Counts the requests of workspaces by day and operation. Counts are buffered in this process and written once a
 * minute, so that requests do not wait; if the process is killed, the buffer is lost.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { makeWriteBehind } from "../internal/writeBehind.ts"
import type { StorageUnavailable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import { DAY, dayOf } from "../model/Day.ts"
import type { UsageHistory } from "../model/UsageHistory.ts"
import { type UsageBatch, type UsageCount, UsageStore, type WorkspaceUsage } from "../ports/UsageStore.ts"
import { bucketOf } from "./durations.ts"
import { dayUsage } from "./dayUsage.ts"

const DELAY = "1 minute"

/** How many workspaces are written at a time. */
const BATCH = 100

/** The most buffered counts while the storage is unavailable; more are dropped. */
const MAX_WAITING = 100_000

/** By operation, then by outcome and duration: a short key is made for every request. */
type Counts = Map<string, Map<string, { -readonly [Field in keyof UsageCount]: UsageCount[Field] }>>

/** A request and its outcome. */
interface Used {
  readonly workspaceId: WorkspaceId
  readonly operation: string
  /** `ok`, or an `error_code`. */
  readonly outcome: string
  readonly millis: number
}

const sizeOf = ({ usage }: UsageBatch): number => usage.reduce((sum, { counts }) => sum + counts.length, 0)

const waitingCounts = () => {
  const writer = crypto.randomUUID()
  let number = 0
  /** It may have been stored, so that it is written again as it was. */
  let unanswered: UsageBatch | null = null
  // By days since 1970.
  const days = new Map<number, Map<WorkspaceId, Counts>>()
  let size = 0
  let dropped = 0

  const countsOf = (day: number, workspaceId: WorkspaceId): Counts => {
    const ofDay = days.get(day) ?? new Map<WorkspaceId, Counts>()
    if (ofDay.size === 0) days.set(day, ofDay)
    const counts = ofDay.get(workspaceId) ?? new Map()
    if (counts.size === 0) ofDay.set(workspaceId, counts)
    return counts
  }

  const add = (day: number, workspaceId: WorkspaceId, count: UsageCount): void => {
    const counts = countsOf(day, workspaceId)
    const ofOperation = counts.get(count.operation) ?? new Map()
    const key = `${count.outcome} ${count.bucket}`
    const known = ofOperation.get(key)
    if (known !== undefined) known.requests += count.requests
    else if (size >= MAX_WAITING) dropped += count.requests
    else {
      counts.set(count.operation, ofOperation)
      ofOperation.set(key, { ...count })
      size++
    }
  }

  const nextBatch = (): UsageBatch | null => {
    const [next] = days
    if (next === undefined) return null
    const [day, ofDay] = next
    const usage: Array<WorkspaceUsage> = []
    for (const [workspace_id, counts] of ofDay) {
      if (usage.length === BATCH) break
      usage.push({ workspace_id, counts: [...counts.values()].flatMap((ofOperation) => [...ofOperation.values()]) })
      ofDay.delete(workspace_id)
    }
    if (ofDay.size === 0) days.delete(day)
    return { writer, number: ++number, day: dayOf(day * DAY), usage }
  }

  const take = (): UsageBatch | null => {
    const batch = unanswered ?? nextBatch()
    if (batch === null) return null
    unanswered = null
    size -= sizeOf(batch)
    return batch
  }

  const restore = (batch: UsageBatch): void => {
    unanswered = batch
    size += sizeOf(batch)
  }

  /** The number of dropped requests since the last call. */
  const takeDropped = (): number => {
    const lost = dropped
    dropped = 0
    return lost
  }

  return { add, countsOf, restore, take, takeDropped }
}

export class UsageLog extends Context.Service<UsageLog, {
  /** Counts a request that was answered at `now`, in milliseconds. */
  readonly record: (used: Used, now: number) => void
  /** Records that the stored data changed without a request. */
  touch(workspaceId: WorkspaceId): Effect.Effect<void>
  /** The last `days`, including today, oldest first; days without any use are left out. */
  history(workspaceId: WorkspaceId, days: number): Effect.Effect<UsageHistory, StorageUnavailable>
}>()("@tributary/core/UsageLog") {
  static readonly layer = Layer.effect(
    UsageLog,
    Effect.gen(function*() {
      const store = yield* UsageStore
      const waiting = waitingCounts()
      const { flush, schedule } = yield* makeWriteBehind({
        delay: DELAY,
        take: waiting.take,
        restore: waiting.restore,
        write: (batch: UsageBatch) =>
          Effect.andThen(
            store.add(batch),
            Effect.suspend(() => {
              const lost = waiting.takeDropped()
              return lost === 0 ? Effect.void : Effect.annotateLogs(
                Effect.logWarning("requests were not counted"),
                { requests: lost }
              )
            })
          )
      })

      return UsageLog.of({
        record: ({ millis, operation, outcome, workspaceId }, now) => {
          waiting.add(Math.floor(now / DAY), workspaceId, { operation, outcome, bucket: bucketOf(millis), requests: 1 })
          schedule()
        },
        touch: (workspaceId) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            waiting.countsOf(Math.floor(now / DAY), workspaceId)
            schedule()
          }),
        history: Effect.fn("UsageLog.history")(function*(workspace_id: WorkspaceId, days: number) {
          yield* flush
          const now = yield* Clock.currentTimeMillis
          const stored = yield* store.history(workspace_id, dayOf(now - (days - 1) * DAY))
          return { workspace_id, days: stored.map(dayUsage) }
        })
      })
    })
  )
}
