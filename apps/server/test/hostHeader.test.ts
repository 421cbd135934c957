/** Requests without the header Host, which no ordinary client can send. */
import { once } from "node:events"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, it } from "vitest"
import { type RunningServer, startServer } from "./serverProcess.ts"

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const answerTo = async (version: string, headers = ""): Promise<string> => {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  await once(socket, "connect")
  socket.write(`GET /healthz HTTP/${version}\r\n${headers}\r\n`)
  return text(socket)
}

it("a request of HTTP/1.1 gets an error in the API's form, and the connection ends", async () => {
  const [head = "", body = ""] = (await answerTo("1.1")).split("\r\n\r\n")
  assert.match(head, /^HTTP\/1\.1 400 /)
  assert.match(head, /^x-request-id: \S{36}$/im)
  assert.match(head, /^connection: close$/im)
  assert.deepStrictEqual(JSON.parse(body), {
    error_code: "bad_request",
    message: "The request has no Host header.",
    details: null
  })
  assert.match(await answerTo("1.1", "X-Request-Id: mine\r\n"), /^x-request-id: mine\r$/im)
})

it("a request of HTTP/1.0 is answered", async () => {
  assert.match(await answerTo("1.0"), /^HTTP\/1\.1 200 /)
})
