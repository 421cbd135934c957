/** The resource use of a process, if the system reports it; otherwise zero. */
import { readFile } from "node:fs/promises"

const PAGE_BYTES = 4_096
/** Linux reports ticks of a hundredth of a second, independent of its own clock. */
const TICK_MILLIS = 10

const fields = (pid: number | undefined, file: "stat" | "statm"): Promise<ReadonlyArray<string>> =>
  // The program's name is in parentheses, and may contain spaces.
  readFile(`/proc/${pid}/${file}`, "latin1").then((text) => text.replace(/^.*\)/s, "").trim().split(" "), () => [])

export const residentBytes = async (pid: number | undefined): Promise<number> =>
  Number((await fields(pid, "statm"))[1] ?? 0) * PAGE_BYTES

/** User and system processor time since the process started. */
export const processorMillis = async (pid: number | undefined): Promise<number> => {
  const [user = 0, system = 0] = (await fields(pid, "stat")).slice(11, 13).map(Number)
  return (user + system) * TICK_MILLIS
}
