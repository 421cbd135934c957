/** The knowledge service inside a Hono application, beside its own routes; any runtime with `Request` will do. */
import { serve } from "@hono/node-server"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { webHandler } from "@tributary/http/WebHandler"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Option, Redacted } from "effect"
import { Hono } from "hono"

const port = Number(process.env["PORT"] ?? 3000)
const adminToken = process.env["ADMIN_TOKEN"] ?? "change-me-change-me-change-me"

const services = Tributary.layer.pipe(Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)))
const knowledge = await webHandler(services, {
  baseUrl: process.env["BASE_URL"] ?? `http://localhost:${port}`,
  adminToken: Option.some(Redacted.make(adminToken)),
  mcp: () => import("@tributary/mcp/HttpEndpoint")
})

const app = new Hono()
app.get("/hello", (context) => context.json({ hello: "from the host" }))
for (const path of ["/v1/*", "/admin/v1/*", "/mcp", "/errors/*"]) {
  app.all(path, (context) => knowledge.handler(context.req.raw))
}

const server = serve({ fetch: app.fetch, port }, ({ port }) => process.stdout.write(`http://localhost:${port}\n`))

process.once("SIGTERM", () => {
  server.close()
  void knowledge.dispose().then(() => "closeAllConnections" in server && server.closeAllConnections())
})
