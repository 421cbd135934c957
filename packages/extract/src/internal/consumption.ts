/** What a process has taken of the machine, as far as the system tells; zero where it does not. */
import { readFile } from "node:fs/promises"

const PAGE_BYTES = 4_096
/** Linux tells programs about ticks of a hundredth of a second, whatever its own clock does. */
const TICK_MILLIS = 10

const fields = (pid: number | undefined, file: "stat" | "statm"): Promise<ReadonlyArray<string>> =>
  // The name of the program stands in parentheses, and may have spaces.
  readFile(`/proc/${pid}/${file}`, "latin1").then((text) => text.replace(/^.*\)/s, "").trim().split(" "), () => [])

export const residentBytes = async (pid: number | undefined): Promise<number> =>
  Number((await fields(pid, "statm"))[1] ?? 0) * PAGE_BYTES

/** Processor time since the process began, of the program and of the system for it. */
export const processorMillis = async (pid: number | undefined): Promise<number> => {
  const [user = 0, system = 0] = (await fields(pid, "stat")).slice(11, 13).map(Number)
  return (user + system) * TICK_MILLIS
}
