import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { once } from "node:events"
import { createServer, get, type Server } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { text } from "node:stream/consumers"
import { setImmediate } from "node:timers/promises"
import { closeAfterResponses, holdEarlyRequests, ignoreUnknownExpectations } from "../src/serve/ServerRequests.ts"

describe("connections", () => {
  let server: Server
  beforeEach(() => {
    server = createServer()
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const listen = async () => {
    await once(server.listen(0, "127.0.0.1"), "listening")
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it("hold early requests until the routes are ready", async () => {
    const release = holdEarlyRequests(server)
    const early = fetch(await listen())
    await once(server, "request")
    server.on("request", (_request, response) => response.end("answered"))
    Effect.runSync(release)
    assert.strictEqual(await (await early).text(), "answered")
    assert.strictEqual(server.listenerCount("request"), 1)
    assert.strictEqual(server.listenerCount("checkContinue"), 0)
  })

  it("answer a request with an unknown expectation as any other", async () => {
    ignoreUnknownExpectations(server)
    server.on("request", (_request, response) => response.end("answered"))
    const [response] = await once(get(await listen(), { headers: { expect: "miracles" } }), "response")
    assert.strictEqual(response.statusCode, 200)
    assert.strictEqual((await response.toArray()).join(""), "answered")
  })

  it("end after the answers of running and late requests", async () => {
    const stopKeepingAlive = closeAfterResponses(server)
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    server.on("request", (_request, response) => void stopped.then(() => response.end()))
    const url = await listen()
    const underWay = fetch(url)
    await once(server, "request")
    Effect.runSync(stopKeepingAlive)
    const late = fetch(url)
    await once(server, "request")
    resolve()
    assert.strictEqual((await underWay).headers.get("connection"), "close")
    assert.strictEqual((await late).headers.get("connection"), "close")
  })

  it("end if a body stops arriving, and not while an answer takes its time", async () => {
    const stopKeepingAlive = closeAfterResponses(server, 20)
    const { promise: cutOff, resolve } = Promise.withResolvers<void>()
    server.on("request", (request, response) => {
      request.resume().on("end", () => void cutOff.then(() => response.end("answered")))
    })
    const { port } = new URL(await listen())
    const [half, whole] = [connect(Number(port)), connect(Number(port))]
    const head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n"
    half.write(`${head}1`)
    await once(server, "request")
    whole.write(`${head}12`)
    const [received] = await once(server, "request")
    await once(received, "end")
    Effect.runSync(stopKeepingAlive)
    await once(half.resume(), "close")
    resolve()
    assert.match(await text(whole), /^HTTP\/1\.1 200 [^]*answered/)
  })

  it("end at once if they have brought nothing, and not during a request", async () => {
    const stopKeepingAlive = closeAfterResponses(server)
    server.on("request", (_request, response) => response.end("answered"))
    const accepted: Array<Socket> = []
    server.on("connection", (socket) => void accepted.push(socket))
    const { port } = new URL(await listen())
    const [unused, begun] = [connect(Number(port)), connect(Number(port))]
    begun.write("GET / HTTP/1.1\r\n")
    while (accepted.length < 2 || accepted.every(({ bytesRead }) => bytesRead === 0)) await setImmediate()
    Effect.runSync(stopKeepingAlive)
    server.close()
    await once(unused.resume(), "close")
    begun.write("Host: x\r\n\r\n")
    assert.match(await text(begun), /^HTTP\/1\.1 200 /)
  })
})
