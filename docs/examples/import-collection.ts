/**
 * Pushes a collection of documents into a running server, searches it, asks it a question, and checks that every quote
 * occurs verbatim in its document. Plain fetch, no dependencies.
 *
 *   node docs/examples/import-collection.ts FOLDER --url URL --key KEY [--search WORDS] [--ask QUESTION] [--batch 500]
 *
 * FOLDER holds corpus.jsonl or corpus.jsonl.gz: one {"id", "title", "text", "date"?} per line.
 */
import { createReadStream, existsSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { createGunzip } from "node:zlib"

interface Line {
  readonly id: string
  readonly title?: string
  readonly text: string
  readonly date?: string
}

const { positionals: [folder], values: options } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string", default: process.env["TRIBUTARY_URL"] ?? "http://127.0.0.1:8787" },
    key: { type: "string", default: process.env["TRIBUTARY_KEY"] ?? "" },
    search: { type: "string" },
    ask: { type: "string" },
    batch: { type: "string", default: "500" }
  }
})

const say = (line: string) => process.stdout.write(`${line}\n`)

class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

const call = async <A>(method: string, path: string, body?: unknown): Promise<A> => {
  const response = await fetch(`${options.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${options.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  if (response.status === 429) {
    await sleep(Number(response.headers.get("retry-after")) * 1000)
    return call(method, path, body)
  }
  const answer = await response.json()
  if (response.ok) return answer as A
  const { error_code: code = "validation_error", message = JSON.stringify(answer) } = answer as Record<string, string>
  throw new Refused(code, `${method} ${path}: ${response.status} ${code}: ${message}`)
}

const lines = async function*(folder: string): AsyncGenerator<Line> {
  const packed = join(folder, "corpus.jsonl.gz")
  const bytes = existsSync(packed)
    ? createReadStream(packed).pipe(createGunzip())
    : createReadStream(join(folder, "corpus.jsonl"))
  for await (const line of createInterface({ input: bytes })) {
    if (line.trim() !== "") yield JSON.parse(line) as Line
  }
}

const batches = async function*<A>(items: AsyncIterable<A>, size: number): AsyncGenerator<Array<A>> {
  let batch: Array<A> = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The connector of this name, created if it does not exist. */
const connectorOf = async (source_name: string): Promise<string> => {
  type Connector = { readonly connector_id: string; readonly source_name: string }
  const present = await call<Array<Connector>>("GET", "/v1/custom-connectors")
  const connector = present.find((connector) => connector.source_name === source_name) ??
    await call<Connector>("POST", "/v1/custom-connectors", { name: source_name, source_name })
  return connector.connector_id
}

const push = async (folder: string, connectorId: string) => {
  const started = performance.now()
  let [pushed, rejected] = [0, 0]
  for await (const batch of batches(lines(folder), Number(options.batch))) {
    const items = batch.map(({ date, id, text, title }) => ({
      external_id: id,
      text,
      ...(title ? { title } : {}),
      ...(date ? { timestamp: date } : {})
    }))
    const result = await call<{ events: number; rejected: Array<unknown> }>(
      "POST",
      `/v1/custom-connectors/${connectorId}/ingest/text`,
      { items }
    ).catch((error: unknown) => {
      // What the plan allows is used up: what is in can still be searched.
      if (error instanceof Refused && error.code === "quota_exceeded") return null
      throw error
    })
    if (result === null) return say("the workspace is full, the rest is left out")
    pushed += result.events
    rejected += result.rejected.length
    say(`pushed ${pushed} documents, ${rejected} rejected, ${((performance.now() - started) / 1000).toFixed(1)} s`)
  }
}

const settle = async () => {
  for (let pending = -1;;) {
    const status = await call<{ state: string; pending_documents: number }>("GET", "/v1/knowledge/status")
    if (status.pending_documents !== pending) say(`status ${status.state}, ${status.pending_documents} documents pending`)
    if (status.pending_documents === 0) return
    pending = status.pending_documents
    await sleep(200)
  }
}

const search = async (q: string) => {
  type SearchResponse = { results: Array<{ score: number; external_id: string; title: string | null; snippet: string }> }
  const { results } = await call<SearchResponse>("POST", "/v1/knowledge/search", { q, limit: 5 })
  say(`\nsearch: ${q}`)
  for (const { external_id, score, snippet, title } of results) {
    say(`  ${score.toFixed(2)}  ${external_id}  ${title ?? ""}\n        ${snippet.replaceAll("\n", " ")}`)
  }
}

/** Says whether every quote occurs in its document at the offsets of the citation. */
const ask = async (query: string): Promise<boolean> => {
  type Entity = { id: string; title: string | null; marker: number; quote: string; start: number; end: number }
  type Answer = { response: string; citations: Array<{ entity: Entity }> }
  const { citations, response } = await call<Answer>("POST", "/v1/knowledge/ask", { query })
  say(`\nask: ${query}\n\n${response}\n`)
  let verbatim = citations.length > 0
  for (const { entity: { end, id, marker, quote, start, title } } of citations) {
    const { text } = await call<{ text: string }>("GET", `/v1/documents/${id}`)
    const isVerbatim = text.slice(start, end) === quote
    verbatim &&= isVerbatim
    say(
      `  [${marker}] ${title ?? id}\n      "${quote.replaceAll("\n", " ")}"\n      verbatim: ${isVerbatim ? "yes" : "NO"}`
    )
  }
  return verbatim
}

if (folder === undefined || options.key === "") {
  process.stderr.write("Usage: import-collection.ts FOLDER --url URL --key KEY [--search WORDS] [--ask QUESTION]\n")
  process.exit(2)
}
const name = basename(resolve(folder)).toLowerCase().replace(/[^a-z0-9]+/g, "-")
await push(folder, await connectorOf(name))
await settle()
if (options.search !== undefined) await search(options.search)
if (options.ask !== undefined && !await ask(options.ask)) process.exitCode = 1
