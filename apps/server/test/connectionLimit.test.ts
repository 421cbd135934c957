import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { limitConnections } from "../src/serve/connectionLimit.ts"

const REQUEST = "GET / HTTP/1.1\r\nhost: example.com\r\n\r\n"

/** Whether a request over the connection was answered, or the connection was reset. */
const outcomeOf = async (socket: Socket): Promise<string> => {
  socket.write(REQUEST)
  try {
    const [data] = await once(socket, "data") as [Buffer]
    return data.toString().split("\r\n")[0]!
  } catch (error) {
    return (error as NodeJS.ErrnoException).code!
  }
}

const OK = "HTTP/1.1 200 OK"

/** A write can come before or after the reset. */
const RESET = ["ECONNRESET", "EPIPE"]

describe("limitConnections", () => {
  let server: Server
  let sockets: Array<Socket>
  beforeEach(() => {
    sockets = []
    server = createServer((_request, response) => response.end("answered"))
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })

  const open = (count: number): ReadonlyArray<Socket> => {
    const { port } = server.address() as AddressInfo
    const opened = Array.from({ length: count }, () => connect({ host: "127.0.0.1", port }))
    sockets.push(...opened)
    return opened
  }

  const listen = Effect.fnUntraced(function*(perAddress: number, trustedProxies: ReadonlyArray<string> = []) {
    yield* limitConnections(server, { perAddress, trustedProxies })
    yield* Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening"))
  })

  it.effect("resets the connections of an address beyond the limit, and counts and reports them", () => {
    const lines: Array<unknown> = []
    return Effect.gen(function*() {
      yield* listen(3)
      const first = yield* Effect.promise(() => Promise.all(open(3).map(outcomeOf)))
      assert.deepStrictEqual(first, [OK, OK, OK])
      const further = yield* Effect.promise(() => Promise.all(open(50).map(outcomeOf)))
      for (const outcome of further) assert.include(RESET, outcome)
      assert.deepStrictEqual(lines, [
        ["an address has too many connections; a proxy belongs into TRIBUTARY_TRUSTED_PROXIES"]
      ])
      const metrics = yield* Metric.snapshot
      const refused = metrics.find(({ id }) => id === "http_server_connections_refused_total")
      assert.deepInclude(refused?.state, { count: 50 })
    }).pipe(
      Effect.provide(Logger.layer([Logger.make(({ message }) => lines.push(message))])),
      Effect.provideService(Metric.MetricRegistry, new Map())
    )
  })

  it.effect("admits a connection again when one has closed", () =>
    Effect.gen(function*() {
      yield* listen(1)
      const connected = once(server, "connection")
      const [first] = open(1)
      assert.strictEqual(yield* Effect.promise(() => outcomeOf(first!)), OK)
      const [accepted] = (yield* Effect.promise(() => connected)) as [Socket]
      first!.destroy()
      yield* Effect.promise(() => once(accepted, "close"))
      const [next] = open(1)
      assert.strictEqual(yield* Effect.promise(() => outcomeOf(next!)), OK)
    }))

  it.effect("lets trusted proxies open any number", () =>
    Effect.gen(function*() {
      yield* listen(1, ["127.0.0.0/8"])
      const outcomes = yield* Effect.promise(() => Promise.all(open(20).map(outcomeOf)))
      assert.deepStrictEqual(new Set(outcomes), new Set([OK]))
    }))
})
