/** A process that pulls a folder of files and tells what memory that took: the most that it ever held. */
import { files } from "@tributary/sources/Files"
import { Effect, Stream } from "effect"
import { readFileSync } from "node:fs"

const folder = process.argv[2]!
const items = await Effect.runPromise(
  files({ roots: [folder] }).sync({ config: { path: folder }, resource: "files", cursor: null, since: null }).pipe(
    Stream.filter((step) => step._tag === "Upsert"),
    Stream.runCount
  )
)
// What the runtime calls so counts the process from which this one was forked.
const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]
process.send!({ items, megabytes: Number(peak) / 1_024 })
