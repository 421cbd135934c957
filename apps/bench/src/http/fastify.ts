/** The same operations on Fastify: its JSON schemas validate the bodies, and a hook checks the key. */
import fastify from "fastify"
import { randomUUID } from "node:crypto"
import type { AddressInfo } from "node:net"
import { report } from "./child.ts"
import { Plain, type TextItem } from "./Plain.ts"

const plain = new Plain()

const closed = (properties: object, ...required: ReadonlyArray<string>) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

const bound = {
  oneOf: [
    closed({ type: { const: "relative" }, days: { type: "integer", minimum: 1, maximum: 36_500 } }, "type", "days"),
    closed({ type: { const: "date" }, date: { type: "string", format: "date" } }, "type", "date"),
    { type: "null" }
  ]
}

const range = closed({ start: bound, end: bound }, "start", "end")
const settings = { type: "object", properties: { temporal_settings: range } }
const patch = closed({ temporal_settings: { anyOf: [range, { type: "null" }] } })

const text = (minLength: number, maxLength: number) => ({ type: "string", minLength, maxLength })

const item = closed(
  { external_id: text(1, 512), text: { type: "string" }, title: text(0, 2_000) },
  "external_id",
  "text"
)
const batch = closed({ items: { type: "array", items: item, minItems: 1, maxItems: 1_000 } }, "items")
const query = closed({ q: text(1, 1_000) }, "q")

const app = fastify({
  bodyLimit: 32 * 1024 * 1024,
  genReqId: () => randomUUID(),
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false } }
})

app.addHook("onRequest", async (request, reply) => {
  reply.header("x-request-id", request.id)
  if (!plain.allows(request.headers.authorization, request.method === "GET" ? "api:read" : "api:write")) {
    return reply.code(401).send({ error_code: "authentication_error" })
  }
})

app.get("/v1/knowledge/settings", { schema: { response: { 200: settings } } }, async () => plain.settings)
app.patch("/v1/knowledge/settings", { schema: { body: patch, response: { 200: settings } } }, async ({ body }) => {
  // The schema accepts only objects.
  plain.settings = body as object
  return plain.settings
})
app.post<{ Body: { readonly q: string } }>(
  "/v1/knowledge/search",
  { schema: { body: query } },
  async ({ body }) => plain.search(body.q)
)
app.post<{ Body: { readonly items: ReadonlyArray<TextItem> } }>(
  "/v1/custom-connectors/:connector_id/ingest/text",
  { schema: { body: batch } },
  async ({ body }) => plain.ingest(body.items)
)

await app.listen({ port: 0, host: "127.0.0.1" })
const { connectorId, key } = plain
report({ port: (app.server.address() as AddressInfo).port, key, searchKey: key, ingestKey: key, connectorId })
