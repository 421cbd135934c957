/** Statistics of measured values. */

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The value that this share of the values is below. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
