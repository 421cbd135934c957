/** Aggregates the usage history of a workspace. */
import type { DayUsage } from "../api/models.ts"
import type { Row } from "../lists/exporting.ts"

type Operation = DayUsage["operations"][number]

export interface OperationSummary {
  readonly operation: string
  readonly requests: number
  readonly refused: number
  /** Milliseconds: the middle one of the days' medians; null while nothing succeeded. */
  readonly typical: number | null
  /** Milliseconds: the highest 95th percentile of a day. */
  readonly slow: number | null
}

export const refusedIn = ({ refusals }: Pick<Operation, "refusals">): number =>
  Object.values(refusals).reduce((sum, count) => sum + count, 0)

const isNumber = (value: number | null): value is number => value !== null

const middleOf = (values: ReadonlyArray<number>): number | null =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? null

const summaryOf = (operation: string, days: ReadonlyArray<Operation>): OperationSummary => {
  const slow = days.map(({ p95_ms }) => p95_ms).filter(isNumber)
  return {
    operation,
    requests: days.reduce((sum, { requests }) => sum + requests, 0),
    refused: days.reduce((sum, day) => sum + refusedIn(day), 0),
    typical: middleOf(days.map(({ p50_ms }) => p50_ms).filter(isNumber)),
    slow: slow.length === 0 ? null : Math.max(...slow)
  }
}

/** Of each operation, the busiest first. */
export const summariesOf = (days: ReadonlyArray<DayUsage>): ReadonlyArray<OperationSummary> =>
  [...Map.groupBy(days.flatMap(({ operations }) => operations), ({ operation }) => operation)]
    .map(([operation, own]) => summaryOf(operation, own))
    .toSorted((left, right) => right.requests - left.requests)

/** Restricts the history to one operation, if one is chosen. */
export const narrowed = (days: ReadonlyArray<DayUsage>, operation: string | undefined): ReadonlyArray<DayUsage> =>
  operation === undefined
    ? days
    : days.map((day) => ({ ...day, operations: day.operations.filter((own) => own.operation === operation) }))

/** Number of refusals by code, the most frequent first. */
export const refusalsOf = (days: ReadonlyArray<DayUsage>): ReadonlyArray<readonly [code: string, count: number]> => {
  const counts = new Map<string, number>()
  for (const { refusals } of days.flatMap(({ operations }) => operations)) {
    for (const [code, count] of Object.entries(refusals)) counts.set(code, (counts.get(code) ?? 0) + count)
  }
  return [...counts].toSorted(([, left], [, right]) => right - left)
}

export const exportedOf = (days: ReadonlyArray<DayUsage>): ReadonlyArray<Row> =>
  days.flatMap(({ day, documents, operations, storage }) =>
    operations.map((own) => ({
      day,
      operation: own.operation,
      requests: own.requests,
      refused: refusedIn(own),
      refusals: JSON.stringify(own.refusals),
      p50_ms: own.p50_ms,
      p95_ms: own.p95_ms,
      documents,
      storage
    }))
  )
