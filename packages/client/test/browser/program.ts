/** What a program in a browser does with the client, and what came of it, as plain data. */
import { createClient, NotFoundError, RateLimitError } from "../../src/promise.ts"

/** The class, code and so on of what a call fails with. */
const failureOf = async (call: () => Promise<unknown>): Promise<unknown> => {
  try {
    await call()
    return "none"
  } catch (error) {
    if (error instanceof NotFoundError) return ["NotFoundError", error.status, error.code, error.retryable]
    if (error instanceof RateLimitError) return ["RateLimitError", error.status, error.code, error.retryable]
    return String(error)
  }
}

/** Leaves a stream that has nothing to say. */
const abandoned = async (events: (signal: AbortSignal) => AsyncIterable<unknown>): Promise<unknown> => {
  const controller = new AbortController()
  setTimeout(() => controller.abort("left"), 50)
  try {
    for await (const _ of events(controller.signal)) return "an event"
    return "an end"
  } catch (reason) {
    return reason
  }
}

export const program = async (origin: string, apiKey: string) => {
  const client = createClient({ baseUrl: origin, apiKey, retries: { attempts: 1 } })
  const { connector_id } = await client.connectors.create({ name: "Rooms", source_name: "rooms" })
  const rooms = Array.from({ length: 250 }, (_, number) => ({ text: `Room ${number} has ${number + 300} seats.` }))
  const { created } = await client.ingestAll(connector_id, rooms, { form: "text" })
  const file = new File(["The cloakroom is in the basement."], "cloakroom.txt")
  const { events } = await client.ingest.file(connector_id, { file })

  await client.knowledge.updateSettings({ temporal_settings: { start: { type: "relative", days: 30 }, end: null } })
  const { up_to_date } = await client.knowledge.waitUntilUpToDate({ timeout: 15_000 })

  const { results } = await client.knowledge.search({ q: "cloakroom", limit: 1 })
  const answer: Array<string> = []
  for await (const { data, event } of client.knowledge.askStream({ query: "How many seats does room 42 have?" })) {
    answer.push(event === "citation" ? data.entity.quote : event)
  }
  return {
    created,
    events,
    up_to_date,
    found: results[0]?.snippet,
    answer: [...new Set(answer)],
    left: await abandoned((signal) => client.events.live({}, { signal })),
    absent: await failureOf(() => client.documents.get("nowhere")),
    limited: await failureOf(async () => {
      for (let count = 0; count < 3; count++) await client.knowledge.refresh()
    })
  }
}
