/** A separate process with an OpenTelemetry collector that accepts and discards everything. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const server = createServer((request, response) => {
  request.resume().on("end", () => response.end("{}"))
})
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on("disconnect", () => process.exit(0))
