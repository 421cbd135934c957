/** A question is answered by the model behind ANSWERS_URL, and every sentence of the answer is proved by a quote. */
import { open } from "@tributary/tributary"

const { ANSWERS_KEY, ANSWERS_MODEL = "qwen2.5:7b", ANSWERS_URL = "http://127.0.0.1:11434/v1" } = process.env

await using kb = await open({
  storage: "memory",
  answers: { url: ANSWERS_URL, model: ANSWERS_MODEL, ...(ANSWERS_KEY === undefined ? {} : { key: ANSWERS_KEY }) }
})
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [
  { title: "Garage", text: "Bicycles stand in the basement. The code of its door is 4711." },
  { title: "Canteen", text: "Lunch is served at noon." }
])

const { citations, model, response, warnings = [] } = await workspace.ask({
  query: "And which code opens it?",
  history: [
    { role: "user", text: "Where do bicycles stand?" },
    { role: "assistant", text: "In the basement." }
  ]
})
const quotes = citations.map(({ entity }) => `[${entity.marker}] ${entity.title}: "${entity.quote}"`)
process.stdout.write(`${[`${model}: ${response}`, ...quotes, ...warnings].join("\n")}\n`)
