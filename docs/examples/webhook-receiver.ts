/** Receives events: verifies each of them, does nothing twice, and answers at once. */
import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"

const webhook = new Webhook(process.env["WEBHOOK_SECRET"] ?? "")
/** A receiver of your own keeps these where they outlive the process. */
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  // The bytes as they came: what is parsed and written again has another signature.
  const body = Buffer.concat(parts).toString()
  const id = String(request.headers["webhook-id"])
  try {
    webhook.verify(body, {
      "webhook-id": id,
      "webhook-timestamp": String(request.headers["webhook-timestamp"]),
      "webhook-signature": String(request.headers["webhook-signature"])
    })
  } catch {
    response.writeHead(401).end()
    return
  }
  response.writeHead(204).end()
  if (seen.has(id)) return
  seen.add(id)
  const { data, type } = JSON.parse(body)
  process.stdout.write(`${type} ${data.external_id ?? ""}\n`)
})

server.listen(Number(process.env["PORT"] ?? 3000), () => {
  const address = server.address()
  process.stdout.write(`http://localhost:${typeof address === "object" ? address?.port : address}\n`)
})
