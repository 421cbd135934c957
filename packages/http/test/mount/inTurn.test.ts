// Requests that are sent before the answers to earlier ones.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { handlerOf } from "../../src/mount/NodeHandler.ts"
import { serve } from "../../src/mount/NodeServer.ts"
import { exchange, head, open } from "../support/rawHttp.ts"

/** An application whose answers wait for a latch, and the paths of the requests that it has begun. */
const waiting = () => {
  const begun: Array<string> = []
  const answers = Latch.makeUnsafe(false)
  const app = Effect.flatMap(HttpServerRequest, ({ url }) => {
    begun.push(url)
    return Effect.as(Effect.interruptible(answers.await), HttpServerResponse.text(url))
  })
  return { app, begun, answers }
}

const portOf = (server: ReturnType<typeof createServer>) => (server.address() as AddressInfo).port

/** Such an application behind a server of its own. */
const waitingServer = Effect.gen(function*() {
  const server = createServer()
  const { app, ...rest } = waiting()
  const platform = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
  yield* Effect.provide(serve(server, app), platform)
  return { port: portOf(server), server, ...rest }
})

/** Such an application in the server of a host. */
const waitingHost = Effect.gen(function*() {
  const { app, ...rest } = waiting()
  const server = createServer(yield* handlerOf(app, yield* Effect.scope))
  yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      server.closeAllConnections()
      server.close()
    })
  )
  return { port: portOf(server), server, ...rest }
})

/** Completes when the server has received this number of requests. */
const received = (server: ReturnType<typeof createServer>, event: string, count: number) =>
  Effect.callback<void>((resume) => {
    let seen = 0
    server.on(event, () => {
      if (++seen === count) setImmediate(() => resume(Effect.void))
    })
  })

describe("Requests of one connection", () => {
  it.live.each([["own", waitingServer], ["host's", waitingHost]] as const)(
    "begin one after the other in its %s server, however many a client sends ahead, and are answered in order",
    ([, serving]) =>
      Effect.gen(function*() {
        const { answers, begun, port, server } = yield* serving
        const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
        const sent = paths.map((path) => (path === "/19" ? head : open)(`GET ${path}`)).join("")
        const all = yield* Effect.forkChild(exchange(port, [sent]), { startImmediately: true })
        yield* received(server, "request", 20)
        assert.deepStrictEqual(begun, ["/0"])
        answers.openUnsafe()
        assert.deepStrictEqual((yield* Fiber.join(all)).match(/(?<=\r\n\r\n)\/\d+/g), paths)
        assert.deepStrictEqual(begun, paths)
      })
  )

  it.live("begin so if they ask before they send a body, too", () =>
    Effect.gen(function*() {
      const { answers, begun, port, server } = yield* waitingServer
      const sent = open("POST /", "Expect: 100-continue", "Content-Length: 0").repeat(20)
      const all = yield* Effect.forkChild(exchange(port, [sent]), { startImmediately: true })
      yield* received(server, "checkContinue", 20)
      assert.lengthOf(begun, 1)
      answers.openUnsafe()
      // What was asked is not answered, so the connection ends with the first.
      assert.match(yield* Fiber.join(all), /^HTTP\/1\.1 200 /)
    }))

  it.live("are not begun after the client is gone", () =>
    Effect.gen(function*() {
      const { answers, begun, port, server } = yield* waitingServer
      const closed = Effect.callback<void>((resume) =>
        void server.on("connection", (socket) => socket.on("close", () => resume(Effect.void)))
      )
      const isClosed = yield* Effect.forkChild(closed, { startImmediately: true })
      const socket = connect(port, "127.0.0.1", () => socket.write(open("GET /0").repeat(3)))
      yield* received(server, "request", 3)
      socket.destroy()
      yield* Fiber.join(isClosed)
      answers.openUnsafe()
      assert.deepStrictEqual(begun, ["/0"])
    }))

  it.live.each([waitingServer, waitingHost])(
    "close it if more wait than any client sends ahead",
    (serving) =>
      Effect.gen(function*() {
        const { begun, port } = yield* serving
        assert.strictEqual(yield* exchange(port, [open("GET /").repeat(66)]), "")
        assert.isAtMost(begun.length, 1)
      })
  )
})
