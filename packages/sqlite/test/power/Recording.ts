/** What a process wrote and asked the disk to keep, in order, as `recorder.c` wrote it down. */
import { readFileSync } from "node:fs"
import { basename } from "node:path"

const KINDS = ["", "name", "write", "truncate", "append", "sync begins", "sync returns"] as const

export interface Step {
  readonly kind: "write" | "truncate" | "append" | "sync begins" | "sync returns"
  /** The name of the file, without its folder. */
  readonly file: string
  readonly offset: number
  readonly bytes: Buffer
}

const HEADER_BYTES = 24

export const readRecording = (path: string): ReadonlyArray<Step> => {
  const recording = readFileSync(path)
  const names = new Map<number, string>()
  const steps: Array<Step> = []
  // A record that was cut off at the end belongs to a write that did not return.
  for (let at = 0; at + HEADER_BYTES <= recording.length;) {
    const kind = KINDS[recording.readUInt32LE(at)] ?? ""
    const number = recording.readUInt32LE(at + 4)
    const offset = Number(recording.readBigUInt64LE(at + 8))
    const length = recording.readUInt32LE(at + 16)
    const bytes = recording.subarray(at + HEADER_BYTES, at + HEADER_BYTES + length)
    at += HEADER_BYTES + length
    if (kind === "name") names.set(number, basename(bytes.toString("utf8")))
    else if (kind !== "") steps.push({ kind, file: names.get(number) ?? "", offset, bytes })
  }
  return steps
}
