// Plain requests get the same answers as with Effect's adapter alone, to the byte, and end in the same ways.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Workspaces } from "@tributary/core/Workspaces"
import { Deferred, Effect, Layer, Logger, Option, Ref, Stream } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { duplexPair } from "node:stream"
import * as Http from "../../src/Http.ts"
import type { App } from "../../src/mount/Mounted.ts"
import { handlerOf } from "../../src/mount/NodeHandler.ts"
import { NodeRequest } from "../../src/mount/NodeRequest.ts"
import { serve } from "../../src/mount/NodeServer.ts"
import { exchange, head, open } from "../support/rawHttp.ts"
import { eventReads, tributary } from "../support/services.ts"

const portOf = (server: Server): number => (server.address() as AddressInfo).port

/** The port of a server of an application, with plain requests answered by us, or all by Effect's adapter. */
const listening = (app: App, by: "us" | "adapter" = "us") =>
  Effect.gen(function*() {
    const server = createServer()
    const platform = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
    yield* Effect.provide(by === "us" ? serve(server, app) : HttpServer.serveEffect(app), platform)
    return portOf(server)
  })

/** The service with a key, and its log. */
const service = Effect.gen(function*() {
  const reads = yield* eventReads
  const services = yield* Layer.build(tributary(yield* Ref.make(false), reads))
  return yield* Effect.gen(function*() {
    const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "A" })
    const scopes = ["api:write", "api:read"] as const
    const { secret } = yield* (yield* ApiKeys).create(personal_workspace.workspace_id, { name: "K", scopes }, OPERATOR)
    const app = yield* Http.app({ baseUrl: "http://x", adminToken: Option.none() })
    return { app, key: `Authorization: Bearer ${secret}`, reads }
  }).pipe(Effect.provide(services))
})

/** Says who reads a request. */
const reader = Effect.map(
  HttpServerRequest,
  (request) => HttpServerResponse.text(request instanceof NodeRequest ? "plain" : "adapted")
)

const statuses = (received: string) => received.match(/(?<=HTTP\/1\.1 )\d+/g)

/** Without what differs from one answer to the next. */
const withoutTime = (received: string) => received.replace(/^Date: .*GMT/gm, "Date: now")

describe("A request is plain", () => {
  const cases: ReadonlyArray<readonly [what: string, request: string, reader: "plain" | "adapted"]> = [
    ["without a body", head("GET /"), "plain"],
    ["as HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "plain"],
    ["with a body of known length", `${head("POST /", "Content-Length: 2")}{}`, "plain"],
    ["with the length zero", head("DELETE /", "Content-Length: 0"), "plain"],
    ["but not as HEAD, whose answer has no body", head("HEAD /"), "adapted"],
    ["but not with an uncommon method", head("OPTIONS /"), "adapted"],
    ["but not with a body of unknown length", `${head("POST /", "Transfer-Encoding: chunked")}0\r\n\r\n`, "adapted"],
    ["but not before its body", `${head("POST /", "Expect: 100-continue", "Content-Length: 2")}{}`, "adapted"],
    ["but not for another protocol", head("GET /", "Upgrade: websocket"), "adapted"],
    ["but not as for a proxy", head("GET http://x/"), "adapted"],
    ["but not for the server as a whole", head("OPTIONS *"), "adapted"]
  ]
  it.live.each(cases)("%s", ([, request, expected]) =>
    Effect.gen(function*() {
      const seen = yield* Deferred.make<string>()
      const port = yield* listening(
        Effect.tap(reader, ({ body }) => Deferred.succeed(seen, body._tag === "Uint8Array" ? body.text ?? "" : ""))
      )
      yield* exchange(port, [request])
      assert.strictEqual(yield* Deferred.await(seen), expected)
    }))
})

describe("Plain or not, an answer is the same to the byte", () => {
  it.live("for what the API answers and refuses, with every form of request", () =>
    Effect.gen(function*() {
      const { app, key } = yield* service
      const ports = [yield* listening(app), yield* listening(app, "adapter")] as const
      const id = "X-Request-Id: known"
      const json = "Content-Type: application/json"
      const settings = "GET /v1/knowledge/settings"
      const patch = "PATCH /v1/knowledge/settings"
      const body = (text: string) => `Content-Length: ${text.length}\r\n\r\n${text}`
      const requests = [
        head(settings, key, id),
        head(`HEAD${settings.slice(3)}`, key, id),
        head(settings, id),
        head(settings, key, key, id),
        head(
          settings,
          key,
          id,
          "X-Odd: \u00e9\u00ff",
          "x-odd: 2",
          "Cookie: a=1",
          "Cookie: b",
          "__proto__: x",
          "constructor: y"
        ),
        `${settings} HTTP/1.0\r\n${key}\r\n${id}\r\n\r\n`,
        `${settings} HTTP/1.0\r\n${key}\r\n${id}\r\nConnection: keep-alive\r\n\r\n${head(settings, key, id)}`,
        open(settings, key, id) + open("GET /v1/nothing", id) + head(settings, key, id),
        head("OPTIONS /v1/usage/current", id),
        head("PUT /v1/usage/current", id),
        head("GET /v1/knowledge/settings?x=1&x=2#y", key, id),
        head("GET /errors/not_found", id),
        head("GET /openapi.json", id),
        head("GET /docs", id),
        head("GET /healthz", id),
        head(patch, key, id, json),
        head(patch, key, id, json, "Content-Length: 0"),
        head(patch, key, id, json).slice(0, -2) + body("{}"),
        head(patch, key, id, json).slice(0, -2) + body("{\"a\": 1"),
        head(patch, key, id, json).slice(0, -2) + body("{\"temporal_settings\": {\"start\": 7}}"),
        head(patch, key, id, "Content-Type: text/plain").slice(0, -2) + body("{}"),
        head(patch, key, id, json, "Expect: 100-continue").slice(0, -2) + body("{}"),
        `${head(patch, key, id, json, "Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`,
        `${head(patch, key, id, json, "Content-Length: 40000000")}{`,
        `${open(patch, id, json, "Content-Length: 2")}{}${head(settings, key, id)}`
      ]
      for (const request of requests) {
        const [ours, theirs] = yield* Effect.forEach(ports, (port) => exchange(port, [request]))
        assert.match(ours!, /^HTTP\/1\.1 \d+ [^]*\r\n\r\n/, request)
        assert.strictEqual(withoutTime(ours!), withoutTime(theirs!), request)
      }
    }))

  it.live("with a body, for a client that offers HTTP/2 with its request", () =>
    Effect.gen(function*() {
      const { app, key } = yield* service
      const offer = ["Connection: close, Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]
      const patch = (...headers: ReadonlyArray<string>) =>
        open("PATCH /v1/knowledge/settings", ...offer, key, "Content-Type: application/json", ...headers)
      const whole = `${patch("Content-Length: 2")}{}`
      const chunked = `${patch("Transfer-Encoding: chunked")}2\r\n{}\r\n0\r\n\r\n`
      const port = yield* listening(app)
      for (const request of [whole, chunked]) {
        assert.match(yield* exchange(port, [request]), /^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/)
      }
      // The adapter takes the connection from Node, and cannot read a body in chunks.
      assert.deepStrictEqual(statuses(yield* exchange(yield* listening(app, "adapter"), [whole])), ["200"])
    }))

  it.live("for a redirect, cookies, no content, bytes, long texts, streams, and headers that cannot be sent", () =>
    Effect.gen(function*() {
      const text = HttpServerResponse.text
      const answers: Readonly<Record<string, HttpServerResponse.HttpServerResponse>> = {
        "/redirect": HttpServerResponse.redirect("/elsewhere"),
        "/cookie": HttpServerResponse.setCookieUnsafe(text("a"), "a", "1"),
        "/empty": HttpServerResponse.empty(),
        "/no-content": text("not sent", { status: 204 }),
        "/reset": text("not sent", { status: 205 }),
        "/unchanged": text("not sent", { status: 304 }),
        "/named": text("a", { status: 200, statusText: "Fine" }),
        "/bytes": HttpServerResponse.uint8Array(new TextEncoder().encode("Kraków")),
        "/text": text("Kraków"),
        "/nothing": text(""),
        "/long": text("ó".repeat(20_000)),
        "/stream": HttpServerResponse.stream(Stream.make(new Uint8Array(70_000).fill(65), new Uint8Array([66]))),
        "/broken": text("a", { headers: { "x-broken": "a\nb" } }),
        "/interim": text("a", { status: 100 })
      }
      const app = Effect.map(HttpServerRequest, ({ url }) => answers[url]!)
      const ports = [yield* listening(app), yield* listening(app, "adapter")] as const
      for (const path of Object.keys(answers)) {
        for (const method of ["GET", "HEAD"]) {
          const [ours, theirs] = yield* Effect.forEach(
            ports,
            (port) => exchange(port, [open(`${method} ${path}`) + head(`${method} ${path}`)])
          )
          assert.strictEqual(withoutTime(ours!), withoutTime(theirs!), `${method} ${path}`)
          assert.lengthOf(statuses(ours!) ?? [], 2, path)
        }
      }
    }).pipe(Effect.provide(Logger.layer([]))))
})

describe("OPTIONS *", () => {
  it.live("lists the methods of the whole server", () =>
    Effect.gen(function*() {
      const { app } = yield* service
      const received = yield* exchange(yield* listening(app), [head("OPTIONS *")])
      assert.match(received, /^HTTP\/1\.1 204 [^]*\r\nallow: DELETE, GET, PATCH, POST, HEAD, OPTIONS\r\n/)
    }))
})

describe("A plain request", () => {
  it.live("has a date, a length and its id in the answer", () =>
    Effect.gen(function*() {
      const { app, key } = yield* service
      const received = yield* exchange(yield* listening(app), [head("GET /v1/usage/current", key)])
      const [headers = "", body = ""] = received.split("\r\n\r\n")
      assert.match(headers, /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/m)
      assert.include(headers, `content-length: ${Buffer.byteLength(body)}\r\n`)
      assert.match(headers, /^x-request-id: [0-9a-f-]{36}$/m)
    }))

  it.live("that fails unexpectedly is a 500 with its id, and the log alone says why", () => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    return Effect.gen(function*() {
      const { app, key, reads } = yield* service
      yield* Ref.set(reads.broken, true)
      const received = yield* exchange(yield* listening(app), [head("GET /v1/runtime/events", key)])
      const id = /^x-request-id: (.+?)\r$/m.exec(received)?.[1]
      assert.match(received, /^HTTP\/1\.1 500 /)
      assert.deepStrictEqual(JSON.parse(received.split("\r\n\r\n")[1]!), {
        error_code: "internal_server_error",
        message: "An unexpected error occurred.",
        details: { request_id: id }
      })
      assert.notInclude(received, "secret of the store")
      assert.lengthOf(lines.filter((line) => line.includes("secret of the store") && line.includes(id!)), 1)
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.live("whose body the host has read already is refused with the reason and an id", () =>
    Effect.gen(function*() {
      const handle = yield* handlerOf(reader, yield* Effect.scope)
      const server = createServer((request, response) =>
        void request.resume().on("end", () => handle(request, response))
      )
      yield* Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      const received = yield* exchange(portOf(server), [`${head("POST /", "Content-Length: 2")}{}`])
      const { details, ...rest } = JSON.parse(received.split("\r\n\r\n")[1]!)
      assert.deepStrictEqual(rest, {
        error_code: "internal_server_error",
        message:
          "The body was read before the request reached Tributary. Mount Tributary before express.json() and other body parsers."
      })
      assert.include(received, `x-request-id: ${details.request_id}\r\n`)
    }))

  it.live("that fails outside of the API is a bare 500, and the connection takes the next one", () =>
    Effect.gen(function*() {
      const app = Effect.flatMap(HttpServerRequest, ({ url }) => url === "/" ? Effect.die("secret") : reader)
      const received = yield* exchange(yield* listening(app), [open("GET /") + head("GET /next")])
      assert.deepStrictEqual(statuses(received), ["500", "200"])
      assert.notInclude(received, "secret")
    }).pipe(Effect.provide(Logger.layer([]))))

  it.live("is answered whether its body comes with its head, later, in parts, or before the next request", () =>
    Effect.gen(function*() {
      const { app, key } = yield* service
      const port = yield* listening(app)
      const body = JSON.stringify({ q: "harbour" })
      const request = (start: typeof head) =>
        start("POST /v1/knowledge/search", key, "Content-Type: application/json", `Content-Length: ${body.length}`)
      const ways: ReadonlyArray<readonly [parts: ReadonlyArray<string>, answers: ReadonlyArray<string>]> = [
        [[request(head) + body], ["200"]],
        [[request(head), body], ["200"]],
        [[request(head), body.slice(0, 9), body.slice(9)], ["200"]],
        [[request(open) + body + request(head) + body], ["200", "200"]]
      ]
      for (const [parts, answers] of ways) assert.deepStrictEqual(statuses(yield* exchange(port, parts)), answers)
    }))

  it.live("does not begin if its client disconnects while its body is awaited", () =>
    Effect.gen(function*() {
      let begun = 0
      const app = Effect.sync(() => HttpServerResponse.text(String(++begun)))
      const handle = yield* handlerOf(app, yield* Effect.scope)
      const server = createServer((request, response) => {
        handle(request, response)
        request.socket.destroy()
      })
      // Unlike a socket, a stream has closed before the next phase of the event loop.
      const [client, connection] = duplexPair()
      server.emit("connection", connection)
      client.write(head("POST /", "Content-Length: 2"))
      yield* Effect.callback<void>((resume) => void connection.on("close", () => resume(Effect.void)))
      yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
      assert.strictEqual(begun, 0)
    }))

  it.live("is interrupted when its client disconnects, before its body or after it", () =>
    Effect.gen(function*() {
      const requests = [open("GET /"), `${open("POST /", "Content-Length: 9")}{`]
      for (const request of requests) {
        const begun = yield* Deferred.make<void>()
        const interrupted = yield* Deferred.make<void>()
        const released = yield* Deferred.make<void>()
        const port = yield* listening(
          Effect.acquireRelease(Deferred.succeed(begun, undefined), () => Deferred.succeed(released, undefined)).pipe(
            Effect.andThen(Effect.interruptible(Effect.never)),
            Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
          )
        )
        const socket = connect(port, "127.0.0.1", () => socket.write(request))
        yield* Deferred.await(begun)
        socket.destroy()
        yield* Deferred.await(interrupted)
        yield* Deferred.await(released)
      }
    }))

  it.live("releases what it used with its answer, and what a streamed answer needs after that", () =>
    Effect.gen(function*() {
      const steps: Array<string> = []
      const step = (name: string) => Effect.sync(() => void steps.push(name))
      const used = Effect.acquireRelease(step("acquired"), () => step("released"))
      yield* exchange(yield* listening(Effect.andThen(used, reader)), [head("GET /")])
      assert.deepStrictEqual(steps.splice(0), ["acquired", "released"])
      const stream = Stream.fromEffect(Effect.as(step("read"), new Uint8Array([65])))
      const app = Effect.as(used, HttpServerResponse.stream(stream))
      assert.match(yield* exchange(yield* listening(app), [head("GET /")]), /A/)
      assert.deepStrictEqual(steps, ["acquired", "read", "released"])
    }))

  it.live("with an answer that is read slowly makes no more of it than the connection takes, and stops with it", () =>
    Effect.gen(function*() {
      const made = { parts: 0 }
      const stopped = yield* Deferred.make<void>()
      const waiting = yield* Deferred.make<IncomingMessage>()
      const app = Effect.flatMap(HttpServerRequest, ({ source }) =>
        Effect.as(
          Deferred.succeed(waiting, source as IncomingMessage),
          HttpServerResponse.stream(
            Stream.forever(Stream.fromEffect(Effect.sync(() => {
              made.parts++
              return new Uint8Array(65_536)
            }))).pipe(Stream.ensuring(Deferred.succeed(stopped, undefined)))
          )
        ))
      const port = yield* listening(app)
      const socket = connect(port, "127.0.0.1", () => socket.pause().write(open("GET /")))
      yield* Deferred.await(waiting)
      const turns = Effect.repeat(Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void))), {
        times: 200
      })
      let before = -1
      while (before !== made.parts || before === 0) {
        before = made.parts
        yield* turns
      }
      socket.destroy()
      yield* Deferred.await(stopped)
    }))
})
