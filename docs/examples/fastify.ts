/** The knowledge service inside a Fastify application, beside its own routes. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { nodeHandler } from "@tributary/http/NodeHandler"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Option, Redacted } from "effect"
import { fastify } from "fastify"

const port = Number(process.env["PORT"] ?? 3000)
const adminToken = process.env["ADMIN_TOKEN"] ?? "change-me-change-me-change-me"

const services = Tributary.layer.pipe(Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)))
const knowledge = await nodeHandler(services, {
  baseUrl: process.env["BASE_URL"] ?? `http://localhost:${port}`,
  adminToken: Option.some(Redacted.make(adminToken))
})

const app = fastify({ forceCloseConnections: true })
app.get("/hello", () => ({ hello: "from the host" }))
await app.register(async (mounted) => {
  // The service reads the bodies of its requests itself.
  mounted.removeAllContentTypeParsers()
  mounted.addContentTypeParser("*", (_request, _body, done) => done(null))
  for (const path of ["/v1/*", "/admin/v1/*", "/mcp", "/errors/*"]) {
    mounted.all(path, (request, reply) => {
      reply.hijack()
      knowledge.handler(request.raw, reply.raw)
    })
  }
})

// Streams end with the service, so it goes first.
app.addHook("preClose", knowledge.dispose)
process.stdout.write(`${await app.listen({ port, host: "127.0.0.1" })}\n`)

process.once("SIGTERM", () => void app.close())
