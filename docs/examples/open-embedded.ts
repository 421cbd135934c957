/** A knowledge base in a directory: what one process puts in, the next one finds. */
import { open } from "@tributary/tributary"
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const directory = await mkdtemp(join(tmpdir(), "handbook-"))

const first = await open({ storage: "embedded", directory })
const workspace = await first.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
await first.close()

await using second = await open({ storage: "embedded", directory })
const { response } = await second.workspace(workspace.id).ask({ query: "Where is the spare key?" })
process.stdout.write(`${response}\n`)
