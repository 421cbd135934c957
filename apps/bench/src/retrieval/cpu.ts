/** Processor time, which depends less on other work on the machine than wall time. */
import { cpuTime } from "../cpuTime.ts"

/** Microseconds of processor time that `work` takes. */
export const cpuOf = (work: () => void): number => {
  const before = cpuTime()
  work()
  return cpuTime() - before
}

export const cpuOfAsync = async (work: () => unknown): Promise<number> => {
  const before = cpuTime()
  await work()
  return cpuTime() - before
}

/** A quantile. */
export const quantile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((left, right) => left - right)[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0

export const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
