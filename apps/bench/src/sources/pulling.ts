/** A process that pulls a folder of files and tells what memory that took: the most that it ever held. */
import { files } from "@tributary/sources/Files"
import { Effect, Stream } from "effect"

const folder = process.argv[2]!
const items = await Effect.runPromise(
  files({ roots: [folder] }).sync({ config: { path: folder }, resource: "files", cursor: null, since: null }).pipe(
    Stream.filter((step) => step._tag === "Upsert"),
    Stream.runCount
  )
)
process.send!({ items, megabytes: process.resourceUsage().maxRSS / 1_024 })
