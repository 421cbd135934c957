/** Processor time of other processes in seconds; NaN if the system does not report it. */
import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks per second. */
const TICKS = 100

/** The fields of `/proc/PID/stat` after the process name. */
const fieldsOf = (pid: number): ReadonlyArray<string> =>
  readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")

const sum = (fields: ReadonlyArray<string>, from: number, to: number): number =>
  fields.slice(from, to).reduce((ticks, field) => ticks + Number(field), 0) / TICKS

const orNaN = (read: () => number): number => {
  try {
    return read()
  } catch {
    return NaN
  }
}

/** The processor time of all threads of a process. */
export const processorSecondsOf = (pid: number): number => orNaN(() => sum(fieldsOf(pid), 11, 13))

/** The processor time of ended child processes. */
export const endedProcessorSeconds = (): number => orNaN(() => sum(fieldsOf(process.pid), 13, 15))

/** The processor time of a process and all its descendants. */
export const treeProcessorSeconds = (root: number): number =>
  orNaN(() => {
    let seconds = sum(fieldsOf(root), 11, 15)
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue
      try {
        const fields = fieldsOf(Number(name))
        if (fields[1] === String(root)) seconds += sum(fields, 11, 13)
      } catch {
        // It has ended; its parent includes it the next time.
      }
    }
    return seconds
  })

/** The parent of a process. */
export const parentOf = (pid: number): number => orNaN(() => Number(fieldsOf(pid)[1]))
