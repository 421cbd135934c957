/** A folder that is pulled on a schedule, and watched in between. */
import { files } from "@tributary/sources/Files"
import { open } from "@tributary/tributary"
import { mkdtemp, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const folder = await mkdtemp(join(tmpdir(), "handbook-"))
await writeFile(join(folder, "keys.md"), "The spare key is kept in locker 7.")

// Sources that need a secret need `encryptionKeys` as well, or storage "embedded", which has a key in its directory.
await using kb = await open({ storage: "memory", providers: [files({ roots: [folder] })] })
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connection_id } = await workspace.connections.create({
  provider: "files",
  name: "Handbook",
  config: { path: folder }
})

const isDone = async () =>
  (await workspace.connections.states(connection_id)).every(({ status }) => status === "completed")
while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 100))
const { response } = await workspace.ask({ query: "Where is the spare key?" })
process.stdout.write(`${response}\n`)
