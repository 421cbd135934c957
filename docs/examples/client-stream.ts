/** Shows an answer while it comes: its sources, then its text piece by piece, and at last all of it. */
import { type Answer, createClient } from "@tributary/client"

const client = createClient({
  baseUrl: process.env["TRIBUTARY_URL"] ?? "http://127.0.0.1:8787",
  apiKey: process.env["TRIBUTARY_KEY"] ?? ""
})

// To abort it ends the answer, as leaving the loop does.
const { signal } = new AbortController()

let answer: Answer | undefined
for await (const { data, event } of client.knowledge.askStream({ query: "How many seats does room 42 have?" }, { signal })) {
  if (event === "citation") process.stdout.write(`[${data.entity.marker}] ${data.entity.title}\n`)
  else if (event === "delta") process.stdout.write(data.text)
  else answer = data
}
process.stdout.write(`\nanswered: ${answer?.answered}\n`)
