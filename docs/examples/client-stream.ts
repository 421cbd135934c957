/** Shows an answer while it is written: its sources, then its text piece by piece, and finally the whole answer. */
import { type Answer, createClient } from "@tributary/client"

const client = createClient({
  baseUrl: process.env["TRIBUTARY_URL"] ?? "http://127.0.0.1:8787",
  apiKey: process.env["TRIBUTARY_KEY"] ?? ""
})

// Aborting it ends the answer, and so does leaving the loop.
const { signal } = new AbortController()

let answer: Answer | undefined
for await (const { data, event } of client.knowledge.askStream({ query: "How many seats does room 42 have?" }, { signal })) {
  if (event === "citation") process.stdout.write(`[${data.entity.marker}] ${data.entity.title}\n`)
  else if (event === "delta") process.stdout.write(data.text)
  else answer = data
}
process.stdout.write(`\nanswered: ${answer?.answered}\n`)
