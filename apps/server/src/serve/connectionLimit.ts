/** Bounds the open connections of each client network, before any HTTP is read. */
import { networkOf } from "@tributary/core/AuditLog"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import { familyOf, networksOf } from "../settings/networks.ts"

const refused = Metric.counter("http_server_connections_refused_total", {
  description: "How many connections were closed at once because their address had too many open",
  incremental: true
})

/** Milliseconds between two log lines: what reports a flood must not be one. */
const REPORT = 60_000

interface Limit {
  /** Open connections of an IPv4 address, or of the /64 of an IPv6 address. */
  readonly perAddress: number
  /** All clients of a proxy come from its address. */
  readonly trustedProxies: ReadonlyArray<string>
}

/** Connections beyond the limit are reset, which clients take for a failure before anything was processed. */
export const limitConnections = Effect.fnUntraced(function*(server: Server, { perAddress, trustedProxies }: Limit) {
  const context = yield* Effect.context<never>()
  const clock = yield* Clock.Clock
  const trusted = trustedProxies.length === 0 ? null : networksOf(trustedProxies)
  const open = new Map<string, number>()
  let reported = -Infinity

  const refuse = (socket: Socket, address: string): void => {
    socket.resetAndDestroy()
    refused.updateUnsafe(1, context)
    const now = clock.currentTimeMillisUnsafe()
    if (now - reported < REPORT) return
    reported = now
    Effect.runForkWith(context)(
      Effect.logWarning("an address has too many connections; a proxy belongs into TRIBUTARY_TRUSTED_PROXIES").pipe(
        Effect.annotateLogs({ address, limit: perAddress })
      )
    )
  }

  const close = (network: string): void => {
    const left = open.get(network)! - 1
    if (left === 0) open.delete(network)
    else open.set(network, left)
  }

  // Node's own listener makes a parser for each connection.
  const accept = server.listeners("connection")
  server.removeAllListeners("connection")
  server.on("connection", (socket: Socket) => {
    const { remoteAddress: address } = socket
    // The client is gone already.
    if (address === undefined) return void socket.destroy()
    if (!trusted?.check(address, familyOf(address))) {
      const network = networkOf(address)
      const count = open.get(network) ?? 0
      if (count >= perAddress) return refuse(socket, address)
      open.set(network, count + 1)
      socket.once("close", () => close(network))
    }
    for (const listener of accept) listener.call(server, socket)
  })
})
