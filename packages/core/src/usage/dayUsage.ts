/** The sums of a day by operation. */
import type { DayUsage, OperationUsage } from "../model/UsageHistory.ts"
import type { StoredDay, UsageCount } from "../ports/UsageStore.ts"
import { quantileOf } from "./durations.ts"

const sumBy = <Key>(counts: ReadonlyArray<UsageCount>, key: (count: UsageCount) => Key): ReadonlyMap<Key, number> => {
  const sums = new Map<Key, number>()
  for (const count of counts) sums.set(key(count), (sums.get(key(count)) ?? 0) + count.requests)
  return sums
}

const operationUsage = (operation: string, counts: ReadonlyArray<UsageCount>): OperationUsage => {
  const durations = sumBy(counts.filter(({ outcome }) => outcome === "ok"), ({ bucket }) => bucket)
  const refused = counts.filter(({ outcome }) => outcome !== "ok")
  return {
    operation,
    requests: counts.reduce((sum, { requests }) => sum + requests, 0),
    refusals: Object.fromEntries(sumBy(refused, ({ outcome }) => outcome)),
    p50_ms: quantileOf(durations, 0.5),
    p95_ms: quantileOf(durations, 0.95)
  }
}

/** The most used operations first. */
export const dayUsage = ({ counts, ...day }: StoredDay): DayUsage => ({
  ...day,
  operations: [...Map.groupBy(counts, ({ operation }) => operation)]
    .map(([operation, counts]) => operationUsage(operation, counts))
    .sort((one, other) => other.requests - one.requests || (one.operation < other.operation ? -1 : 1))
})
