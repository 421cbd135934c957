/** The whole service in this process: a text goes in, a cited answer comes out. */
import { open } from "@tributary/tributary"

await using kb = await open({ storage: "memory" })
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [
  { title: "Holidays", text: "The office is closed from December 24 to January 1." }
])
const { citations, response } = await workspace.ask({ query: "When is the office closed?" })
process.stdout.write(`${response}\n`)
for (const { entity } of citations) process.stdout.write(`[${entity.marker}] ${entity.title}: "${entity.quote}"\n`)
