/** Requests without a valid header Host, which no ordinary client can send. */
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

it.each([
  { about: "without Host", headers: "", problem: "The request has no Host header." },
  { about: "with several", headers: "Host: a\r\nhost: a\r\n", problem: "The request has several Host headers." },
  {
    about: "with something else in it",
    headers: "Host: http://a/b\r\n",
    problem: "The Host header is not a host with an optional port."
  }
])("a request of HTTP/1.1 $about gets an error in the API's form, and the connection ends", async ({
  headers,
  problem
}) => {
  const [head = "", body = ""] = (await answerTo("1.1", headers)).split("\r\n\r\n")
  assert.match(head, /^HTTP\/1\.1 400 /)
  assert.match(head, /^x-request-id: \S{36}$/im)
  assert.match(head, /^connection: close$/im)
  assert.deepStrictEqual(JSON.parse(body), { error_code: "bad_request", message: problem, details: null })
  assert.match(await answerTo("1.1", `${headers}X-Request-Id: mine\r\n`), /^x-request-id: mine\r$/im)
})

it.each(["", "a_b.example", "xn--bcher-kva.example:8787", "[::1]:80", "127.0.0.1:"])("Host may be %j", async (host) => {
  assert.match(await answerTo("1.1", `Host: ${host}\r\nConnection: close\r\n`), /^HTTP\/1\.1 200 /)
})

it("a request of HTTP/1.0 is answered", async () => {
  assert.match(await answerTo("1.0"), /^HTTP\/1\.1 200 /)
})
