/** The whole service in this process, in memory: a text goes in, a cited answer comes out. */
import { open } from "@tributary/tributary"

const kb = await open({ storage: "memory" })
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [
  { title: "Holidays", text: "The office is closed from December 24 to January 1." }
])
const { citations, response } = await workspace.ask({ query: "When is the office closed?" })
console.log(response)
for (const { entity } of citations) console.log(`[${entity.marker}] ${entity.title}: "${entity.quote}"`)
await kb.close()
