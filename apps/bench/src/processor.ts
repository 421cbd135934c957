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

/** Of a process with one thread; a clock tick would be too coarse for short work. */
const onProcessorSeconds = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e9

/** The processor time of all threads of a process. */
export const processorSecondsOf = (pid: number): number => orNaN(() => sum(fieldsOf(pid), 11, 13))

/** The processor time of ended child processes. */
export const endedProcessorSeconds = (): number => orNaN(() => sum(fieldsOf(process.pid), 13, 15))

/** The processor time of a process and its children, each with one thread. */
export const treeProcessorSeconds = (root: number): number =>
  orNaN(() => {
    let seconds = onProcessorSeconds(root) + sum(fieldsOf(root), 13, 15)
    for (const name of readdirSync("/proc")) {
      if (!/^\d+$/.test(name)) continue
      try {
        if (fieldsOf(Number(name))[1] === String(root)) seconds += onProcessorSeconds(Number(name))
      } catch {
        // It has ended; its parent includes it the next time.
      }
    }
    return seconds
  })

export const parentOf = (pid: number): number => orNaN(() => Number(fieldsOf(pid)[1]))
