/**
 * A process that pulls a folder of files, and reports its memory: the peak of the process, and what is held after the
 * listing.
 */
import { DigestSet } from "@tributary/core/DigestSet"
import { files } from "@tributary/sources/Files"
import { Effect, Stream } from "effect"
import { readFileSync } from "node:fs"

const folder = process.argv[2]!
/** As a sync keeps them. */
const listed = new DigestSet()
let items = 0

const report = () => {
  // `maxRSS` includes the parent process before the fork.
  const peak = /^VmHWM:\s+(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]
  globalThis.gc!()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  process.send!({ items, held: (heapUsed + arrayBuffers) / 1e6, most: Number(peak) / 1_024 })
}

await Effect.runPromise(
  files({ roots: [folder] }).sync({ config: { path: folder }, resource: "files", cursor: null, since: null }).pipe(
    Stream.runForEach((step) =>
      Effect.sync(() => {
        if (step._tag === "Upsert") items++
        if (step._tag === "Listed") { for (const id of step.external_ids) listed.add(id) }
        if (step._tag === "Complete") report()
      })
    )
  )
)
