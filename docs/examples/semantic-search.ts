/** A text is found by what it means: the model behind EMBEDDINGS_URL puts "cyclist" near "bicycles". */
import { open } from "@tributary/tributary"
import { setTimeout } from "node:timers/promises"

const { EMBEDDINGS_MODEL = "nomic-embed-text", EMBEDDINGS_URL = "http://127.0.0.1:11434/v1" } = process.env

await using kb = await open({
  storage: "memory",
  embeddings: { url: EMBEDDINGS_URL, model: EMBEDDINGS_MODEL }
})
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [
  { title: "Garage", text: "Bicycles stand in the basement." },
  { title: "Canteen", text: "Lunch is served at noon." }
])

// Vectors are made in the background; until then a warning says how many are still to come.
let answer = await workspace.search({ q: "cyclist", mode: "semantic" })
while (answer.warnings.length > 0) {
  await setTimeout(200)
  answer = await workspace.search({ q: "cyclist", mode: "semantic" })
}
process.stdout.write(`${answer.results[0]?.title}\n`)
