/** A host that takes in the PDF beside it, and finds its text: the process that reads it comes out of the packed files. */
import { open } from "@tributary/tributary"
import { openAsBlob } from "node:fs"

await using kb = await open({ storage: "memory" })
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
const file = new File([await openAsBlob("read.pdf")], "read.pdf")
await workspace.ingest.file(connector_id, { file })
const { results } = await workspace.search({ q: "日本語" })
process.stdout.write(`${results.map(({ snippet }) => snippet).join()}\n`)
