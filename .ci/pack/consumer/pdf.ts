/** A host that ingests a PDF and finds its text, to test that the packed files contain the reader process. */
import { open } from "@tributary/tributary"
import { openAsBlob } from "node:fs"

await using kb = await open({ storage: "memory" })
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
const file = new File([await openAsBlob("read.pdf")], "read.pdf")
await workspace.ingest.file(connector_id, { file })
const { results } = await workspace.search({ q: "日本語" })
process.stdout.write(`${results.map(({ snippet }) => snippet).join()}\n`)
