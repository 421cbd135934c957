/** The knowledge service inside an Express application, beside its own routes. */
import { open } from "@tributary/tributary"
import express from "express"

const port = Number(process.env["PORT"] ?? 3000)

const kb = await open({ storage: "memory" })
const knowledge = await kb.nodeHandler({
  baseUrl: process.env["BASE_URL"] ?? `http://localhost:${port}`,
  adminToken: process.env["ADMIN_TOKEN"] ?? "change-me-change-me-change-me"
})

const app = express()
// Before any body parser: the service reads the bodies of its requests itself.
app.all(["/v1/*path", "/admin/v1/*path", "/mcp", "/errors/:code"], knowledge)
app.use(express.json())
app.get("/hello", (_request, response) => void response.json({ hello: "from the host" }))

const server = app.listen(port, () => {
  const address = server.address()
  process.stdout.write(`http://localhost:${typeof address === "object" ? address?.port : port}\n`)
})

process.once("SIGTERM", () => {
  server.close()
  void kb.close().then(() => server.closeAllConnections())
})
