/** The knowledge service inside a Fastify application, beside its own routes. */
import { open } from "@tributary/tributary"
import { fastify } from "fastify"

const port = Number(process.env["PORT"] ?? 3000)

const kb = await open({ storage: "memory" })
const knowledge = await kb.nodeHandler({
  baseUrl: process.env["BASE_URL"] ?? `http://localhost:${port}`,
  adminToken: process.env["ADMIN_TOKEN"] ?? "change-me-change-me-change-me"
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
      knowledge(request.raw, reply.raw)
    })
  }
})

// Streams end with the service, so it goes first.
app.addHook("preClose", () => kb.close())
process.stdout.write(`${await app.listen({ port, host: "127.0.0.1" })}\n`)

process.once("SIGTERM", () => void app.close())
