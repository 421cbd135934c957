/** The knowledge service inside an Express application, beside its own routes. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { nodeHandler } from "@tributary/http/NodeHandler"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Option, Redacted } from "effect"
import express from "express"

const port = Number(process.env["PORT"] ?? 3000)
const adminToken = process.env["ADMIN_TOKEN"] ?? "change-me-change-me-change-me"

const services = Tributary.layer.pipe(Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)))
const knowledge = await nodeHandler(services, {
  baseUrl: process.env["BASE_URL"] ?? `http://localhost:${port}`,
  adminToken: Option.some(Redacted.make(adminToken))
})

const app = express()
// Before any body parser: the service reads the bodies of its requests itself.
app.all(["/v1/*path", "/admin/v1/*path", "/mcp", "/errors/:code"], knowledge.handler)
app.use(express.json())
app.get("/hello", (_request, response) => void response.json({ hello: "from the host" }))

const server = app.listen(port, () => {
  const address = server.address()
  process.stdout.write(`http://localhost:${typeof address === "object" ? address?.port : port}\n`)
})

process.once("SIGTERM", () => {
  server.close()
  void knowledge.dispose().then(() => server.closeAllConnections())
})
