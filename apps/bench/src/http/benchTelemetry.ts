/** Processor time per request: without a collector, with one trace of a hundred sent to it, and with all of them. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { printLoad, printTable } from "../print.ts"
import { measure } from "./benchHttp.ts"
import { SCENARIOS } from "./scenarios.ts"
import { Server } from "./Server.ts"

const startCollector = async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end("{}"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const RATIOS = ["0.01", "1"]

export const benchTelemetry = async (): Promise<void> => {
  printLoad()
  const collector = await startCollector()
  const sending = (ratio: string) =>
    Server.start(ratio, "ours", { TRIBUTARY_BENCH_COLLECTOR: collector.url, TRIBUTARY_BENCH_RATIO: ratio })
  const servers = await Promise.all([Server.start("off", "ours"), ...RATIOS.map(sending)])
  try {
    const time = await measure(servers)
    printTable(
      ["CPU per request", "no collector, µs", ...RATIOS.map((ratio) => `ratio ${ratio}, times as much`)],
      SCENARIOS.map(({ name }) => {
        const off = time("off", name)
        return [name, off.toFixed(0), ...RATIOS.map((ratio) => (time(ratio, name) / off).toFixed(3))]
      })
    )
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
    collector.server.close()
  }
  printLoad()
}
