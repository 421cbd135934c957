// Input that Node refuses before it is a request: sent over a bare socket, to a server without routes.
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { answerClientError } from "../../src/mount/ClientErrors.ts"
import { UUID } from "../support/wire.ts"

describe("Errors before a request exists", () => {
  let server: Server
  beforeAll(async () => {
    const times = { headersTimeout: 2_000, requestTimeout: 2_000, connectionsCheckingInterval: 20 }
    server = createServer(times, (request, response) => {
      // Its body is waited for, unless the answer is to begin at once.
      if (request.url === "/begun") response.write("begun")
      request.on("end", () => response.end("whole")).resume()
    }).on("clientError", answerClientError)
    await once(server.listen(0, "127.0.0.1"), "listening")
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  /** Everything that the server sends until it disconnects; `then` is sent after its first bytes. */
  const sent = async (text: string, then = ""): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8")
    let received = ""
    socket.on("data", (part) => {
      received += part
    })
    if (then !== "") socket.once("data", () => socket.write(then))
    // A reset means only that the server did not read to the end.
    socket.on("error", () => {})
    socket.write(text)
    await once(socket, "close")
    return received
  }

  const cases = [
    {
      what: "a head that is too long",
      text: `GET /?${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      status: 431,
      code: "headers_too_large"
    },
    {
      what: "a head that goes on and on",
      text: `GET / HTTP/1.1\r\n${"X-A: b\r\n".repeat(500_000)}`,
      status: 431,
      code: "headers_too_large"
    },
    { what: "a head that does not end", text: "GET / HTTP/1.1\r\nHost: x\r\n", status: 408, code: "request_timeout" },
    {
      what: "a body that does not come",
      text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1",
      status: 408,
      code: "request_timeout"
    },
    { what: "bytes that are not HTTP", text: "\u0016\u0003\u0001 hello\r\n\r\n", status: 400, code: "bad_request" },
    {
      what: "two lengths",
      text: "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n1",
      status: 400,
      code: "bad_request"
    }
  ]
  it.each(cases)(
    "$what: $status $code, with a request id, and the connection is closed",
    async ({ code, status, text }) => {
      const [head = "", body = ""] = (await sent(text)).split("\r\n\r\n")
      const headers = new Headers(head.split("\r\n").slice(1).map((line) => line.split(": ") as [string, string]))
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} [A-Z]`))
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.strictEqual(headers.get("connection"), "close")
      assert.match(headers.get("x-request-id") ?? "", UUID)
      assert.strictEqual(Number(headers.get("content-length")), Buffer.byteLength(body))
      const { details, error_code, message } = JSON.parse(body)
      assert.deepStrictEqual([error_code, details], [code, null])
      assert.match(message, /\.$/)
    }
  )

  it("an answer that has started is cut off, not mixed with another", async () => {
    const received = await sent(
      "POST /begun HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
      "no length\r\n"
    )
    assert.match(received, /^HTTP\/1.1 200 [^]*begun/)
    assert.notInclude(received, "bad_request")
    assert.strictEqual(received.split("HTTP/1.1").length, 2)
  })
})
