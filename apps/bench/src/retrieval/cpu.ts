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
