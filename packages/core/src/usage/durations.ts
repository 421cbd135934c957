/** A histogram of durations whose buckets grow by the square root of two: quantiles are off by at most 20 %. */

/** The last bucket contains everything above about 12 minutes. */
const LAST_BUCKET = 40

/** The first bucket ends at one millisecond. */
const endOf = (bucket: number): number => 2 ** (bucket / 2)

export const bucketOf = (millis: number): number =>
  millis <= 1 ? 0 : Math.min(LAST_BUCKET, Math.ceil(Math.log2(millis) * 2))

/** In milliseconds, with one decimal; `counts` by bucket. Null if there are none. */
export const quantileOf = (counts: ReadonlyMap<number, number>, quantile: number): number | null => {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let left = quantile * total
  for (const [bucket, count] of [...counts].sort(([one], [other]) => one - other)) {
    if (left <= count) {
      const start = bucket === 0 ? 0 : endOf(bucket - 1)
      return Math.round((start + (endOf(bucket) - start) * (left / count)) * 10) / 10
    }
    left -= count
  }
  return endOf(LAST_BUCKET)
}
