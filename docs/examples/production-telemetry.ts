/** Traces, metrics and logs by OTLP, here to a collector that only names what it receives. */
import { open } from "@tributary/tributary"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const received = new Set<string>()
const collector = createServer((request, response) => {
  received.add(request.url ?? "")
  request.resume().on("end", () => response.end("{}"))
})
await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
const { port } = collector.address() as AddressInfo

const kb = await open({
  storage: "memory",
  telemetry: { url: `http://127.0.0.1:${port}`, serviceName: "handbook", ratio: 1 }
})
await (await kb.createWorkspace({ name: "Handbook" })).search({ q: "keys" })

// What has not been sent yet is sent now.
await kb.close()
process.stdout.write(`${[...received].sort().join(" ")}\n`)
collector.close()
