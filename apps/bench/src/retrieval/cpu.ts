/** Processor time, which other work on the machine disturbs less than the clock. */

/** Microseconds of processor time that `work` takes. */
export const cpuOf = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return user + system
}

export const cpuOfAsync = async (work: () => unknown): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return user + system
}

/** The value below which a share of all lies. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
