/** The same operations on node:http alone, with validation by hand. */
import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { report } from "./child.ts"
import { Plain, type TextItem } from "./Plain.ts"

const plain = new Plain()

const answer = (response: ServerResponse, status: number, body: object): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "x-request-id": randomUUID()
  })
  response.end(text)
}

type Fields = Readonly<Record<string, unknown>>

const has = (value: unknown, ...names: ReadonlyArray<string>): value is Fields =>
  typeof value === "object" && value !== null && Object.keys(value).every((name) => names.includes(name))

const isBound = (value: unknown): boolean =>
  value === null ||
  (has(value, "type", "days") && value["type"] === "relative" && Number.isInteger(value["days"]) &&
    Number(value["days"]) >= 1 && Number(value["days"]) <= 36_500) ||
  (has(value, "type", "date") && value["type"] === "date" && /^\d{4}-\d{2}-\d{2}$/.test(String(value["date"])))

const isPatch = (body: unknown): body is Fields => {
  if (!has(body, "temporal_settings")) return false
  const range = body["temporal_settings"]
  return range === null || (has(range, "start", "end") && isBound(range["start"]) && isBound(range["end"]))
}

const isItem = (value: unknown): boolean =>
  has(value, "external_id", "text", "title") && typeof value["text"] === "string" &&
  String(value["external_id"]).length <= 512 && String(value["title"]).length <= 2_000

const isBatch = (body: unknown): body is { readonly items: ReadonlyArray<TextItem> } =>
  has(body, "items") && Array.isArray(body["items"]) && body["items"].length <= 1_000 && body["items"].every(isItem)

const isSearch = (body: unknown): body is { readonly q: string } =>
  has(body, "q") && typeof body["q"] === "string" && body["q"].length >= 1 && body["q"].length <= 1_000

const INVALID = { detail: [] }

const carryOut = (response: ServerResponse, url: string, body: unknown): void => {
  if (url.endsWith("/settings") && isPatch(body)) {
    plain.settings = body
    answer(response, 200, plain.settings)
  } else if (url.endsWith("/search") && isSearch(body)) answer(response, 200, plain.search(body.q))
  else if (url.endsWith("/ingest/text") && isBatch(body)) answer(response, 200, plain.ingest(body.items))
  else answer(response, 422, INVALID)
}

const handle = (request: IncomingMessage, response: ServerResponse): void => {
  const { headers, method, url = "" } = request
  if (!plain.allows(headers.authorization, method === "GET" ? "api:read" : "api:write")) {
    return answer(response, 401, { error_code: "authentication_error" })
  }
  if (method === "GET") return answer(response, 200, plain.settings)
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => carryOut(response, url, JSON.parse(Buffer.concat(chunks).toString())))
}

const server = createServer(handle)
server.listen(0, "127.0.0.1", () => {
  const { connectorId, key } = plain
  report({ port: (server.address() as AddressInfo).port, key, searchKey: key, ingestKey: key, connectorId })
})
