/** A client of the HTTP API with only `fetch`. A program in any language works the same way. */
import { setTimeout as sleep } from "node:timers/promises"

const url = process.env["TRIBUTARY_URL"] ?? "http://127.0.0.1:8787"
const key = process.env["TRIBUTARY_KEY"] ?? ""

interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly accept?: string
}

const send = (path: string, { accept = "application/json", body, method = "GET" }: Call): Promise<Response> =>
  fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

/** Waits for `Retry-After`, or twice as long each time without it, plus some jitter. */
const pause = (attempt: number, response: Response): Promise<void> => {
  const retryAfter = Number(response.headers.get("retry-after") ?? 0)
  return sleep((retryAfter || 2 ** attempt) * 1_000 + Math.random() * 500)
}

/** Retries 429 and 503. Every other error is permanent. */
const call = async (path: string, options: Call = {}): Promise<Response> => {
  for (let attempt = 0;; attempt++) {
    const response = await send(path, options)
    if (response.ok) return response
    if (attempt < 4 && [429, 503].includes(response.status)) await pause(attempt, response)
    else throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
}

const json = async <A>(path: string, options?: Call): Promise<A> => await (await call(path, options)).json() as A

/** The events of a stream: a blank line ends each, and a line that begins with a colon is a comment. */
const events = async function*(response: Response) {
  let buffered = ""
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
    const parts = (buffered + text).split("\n\n")
    buffered = parts.pop()!
    for (const part of parts) {
      const fields = new Map(part.split("\n").map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      const data = fields.get("data")
      if (data !== undefined) yield { event: fields.get("event"), data: JSON.parse(data) as Record<string, unknown> }
    }
  }
}

const say = (line: string) => process.stdout.write(`${line}\n`)

const connector = { name: "Rooms", source_name: "rooms-by-fetch" }
const created = json<{ connector_id: string }>("/v1/custom-connectors", { method: "POST", body: connector })
const { connector_id } = await created
const items = [0, 1, 2, 3, 4].map((n) => ({ external_id: `room-${n}`, text: `Room ${n} has ${n + 300} seats.` }))
const ingest = `/v1/custom-connectors/${connector_id}/ingest/text`
say(`ingested ${(await json<{ events: number }>(ingest, { method: "POST", body: { items } })).events}`)

type Page = { readonly documents: ReadonlyArray<{ readonly external_id: string }>; readonly next_cursor: string | null }
for (let cursor: string | null = ""; cursor !== null;) {
  const position: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
  const page: Page = await json(`/v1/custom-connectors/${connector_id}/documents?limit=2${position}`)
  say(`a page of ${page.documents.map(({ external_id }) => external_id).join(" and ")}`)
  cursor = page.next_cursor
}

const question = { method: "POST", body: { query: "How many seats does room 4 have?" }, accept: "text/event-stream" }
for await (const { data, event } of events(await call("/v1/knowledge/ask", question))) {
  if (event === "delta") say(`answer: ${data["text"]}`)
  if (event === "error") throw new Error(`${data["error_code"]}: ${data["message"]}`)
}
