/** Talks to a running server: pushes documents, waits, searches, asks, and lists what is there. */
import { createClient, NotFoundError, TributaryError } from "@tributary/client"

const say = (line: string) => process.stdout.write(`${line}\n`)

const client = createClient({
  baseUrl: process.env["TRIBUTARY_URL"] ?? "http://127.0.0.1:8787",
  apiKey: process.env["TRIBUTARY_KEY"] ?? ""
})

const { connector_id } = await client.connectors.create({ name: "Rooms", source_name: "rooms" })

// Any number of items, from anything that can be iterated over. Ids of your own let you replace and delete them later.
async function* rooms() {
  for (let number = 1; number <= 250; number++) {
    yield { external_id: `room-${number}`, title: `Room ${number}`, text: `Room ${number} has ${number + 300} seats.` }
  }
}
const sum = await client.ingestAll(connector_id, rooms(), {
  form: "text",
  onProgress: ({ sent }) => say(`sent ${sent}`)
})
say(`${sum.created} created, ${sum.rejected.length} rejected`)

await client.knowledge.updateSettings({ temporal_settings: { start: { type: "relative", days: 30 }, end: null } })
await client.knowledge.waitUntilUpToDate({ timeout: 60_000 })

const { results } = await client.knowledge.search({ q: "room 42", limit: 1 })
say(`found: ${results[0]?.title}`)

const { citations } = await client.knowledge.ask({ query: "How many seats does room 42 have?" }, { timeout: 30_000 })
say(`answer: ${citations[0]?.entity.quote}`)

// Pages are fetched as they are reached.
for await (const document of client.documents.list(connector_id, {}, { limit: 100 })) {
  if (document.external_id === "room-7") say(`stored: ${document.title}, ${document.size} bytes`)
}

try {
  await client.documents.getByExternalId(connector_id, "room-251")
} catch (error) {
  if (error instanceof NotFoundError) say(`${error.status} ${error.code}, retryable: ${error.retryable}`)
  else if (error instanceof TributaryError) say(`${error.code}: ask the operator about request ${error.requestId}`)
  else throw error
}
