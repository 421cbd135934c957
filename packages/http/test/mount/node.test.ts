// Cases that need a real server: several headers of one name, endless bodies, answers without a body.
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { ApiKeys } from "@tributary/core/ApiKeys"
import { OPERATOR } from "@tributary/core/model/Principal"
import { Workspaces } from "@tributary/core/Workspaces"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Option, Ref } from "effect"
import { createServer } from "node:http"
import { connect } from "node:net"
import * as Http from "../../src/Http.ts"
import { serve as listen } from "../../src/mount/NodeServer.ts"
import { exchange, head, open } from "../support/rawHttp.ts"
import { tributary } from "../support/services.ts"

const serve = Effect.gen(function*() {
  const services = yield* Layer.build(tributary(yield* Ref.make(false)))
  return yield* Effect.gen(function*() {
    const { personal_workspace } = yield* (yield* Workspaces).createAccount({ name: "A" })
    const key = yield* (yield* ApiKeys).create(personal_workspace.workspace_id, {
      name: "K",
      scopes: ["api:write", "api:read"]
    }, OPERATOR)
    const server = createServer()
    const app = yield* Http.app({ baseUrl: "http://x", adminToken: Option.none() })
    const platform = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
    yield* Effect.provide(listen(server, app), platform)
    const address = server.address()
    return { port: typeof address === "object" && address !== null ? address.port : 0, key: key.secret }
  }).pipe(Effect.provide(services))
})

describe("On Node", () => {
  it.live("several Authorization headers are 401", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const authorization = `Authorization: Bearer ${key}`
      const once = yield* exchange(port, [head("GET /v1/usage/current", authorization)])
      assert.match(once, /^HTTP\/1.1 200 /)
      for (const other of [authorization, "authorization: Basic x", "AUTHORIZATION: "]) {
        const answer = yield* exchange(port, [head("GET /v1/usage/current", authorization, other)])
        assert.match(answer, /^HTTP\/1.1 401 /, other)
      }
    }))

  it.live("a body may come in any parts", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const body = JSON.stringify({ name: "Kraków", source_name: "krakow" })
      const bytes = Buffer.from(body)
      const middle = bytes.indexOf(0xc3) + 1
      const answer = yield* exchange(port, [
        head(
          "POST /v1/custom-connectors",
          `Authorization: Bearer ${key}`,
          "Content-Type: application/json",
          `Content-Length: ${bytes.length}`
        ),
        bytes.subarray(0, middle),
        bytes.subarray(middle)
      ])
      assert.match(answer, /^HTTP\/1.1 20[01] /)
      assert.include(answer, "Kraków")
    }))

  it.live("HEAD has the headers of GET and no body", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const answer = yield* exchange(port, [
        head("HEAD /v1/knowledge/settings", `Authorization: Bearer ${key}`)
      ])
      assert.match(answer, /^HTTP\/1.1 200 /)
      assert.match(answer, /content-type: application\/json/i)
      assert.match(answer, /\r\n\r\n$/)
    }))

  it.live("a connection stays open after an answer, even if the body was not read", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const authorization = `Authorization: Bearer ${key}`
      const length = (text: string) => `Content-Length: ${text.length}`
      const received = yield* exchange(port, [
        open("GET /v1/usage/current", authorization),
        open("PATCH /v1/knowledge/settings", length("{\"a\": 1}")) + "{\"a\": 1}",
        open("PATCH /v1/knowledge/settings", authorization, length("{}")) + "{}",
        open("PUT /v1/usage/current", length("GET / HTTP/1.1")) + "GET / HTTP/1.1",
        head("GET /v1/usage/current", authorization)
      ])
      assert.deepStrictEqual(received.match(/(?<=HTTP\/1.1 )\d+/g), ["200", "401", "200", "405", "200"])
    }))

  it.live("an endless body is cut off at 32 MiB, and one with a larger Content-Length is not read", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const patch = "PATCH /v1/knowledge/settings"
      const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json"]
      const announced = yield* exchange(port, [head(patch, ...headers, "Content-Length: 40000000"), "{"])
      assert.match(announced, /^HTTP\/1.1 413 /)
      const chunk = `100000\r\n${" ".repeat(0x100000)}\r\n`
      const chunks = Array.from({ length: 40 }, () => chunk)
      const endless = yield* exchange(port, [head(patch, ...headers, "Transfer-Encoding: chunked"), ...chunks])
      assert.match(endless, /^HTTP\/1.1 413 /)
      assert.include(endless, "payload_too_large")
    }))

  it.live("a body with a transfer coding other than chunked is 415, and the connection ends", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json"]
      const sent = (coding: string) =>
        exchange(port, [head("PATCH /v1/knowledge/settings", ...headers, coding), "2\r\n{}\r\n0\r\n\r\n"])
      assert.match(yield* sent("Transfer-Encoding: Chunked"), /^HTTP\/1.1 200 /)
      for (const coding of ["gzip, chunked", "identity, chunked", "x\r\nTransfer-Encoding: chunked"]) {
        assert.match(yield* sent(`Transfer-Encoding: ${coding}`), /^HTTP\/1.1 415 [^]*"unsupported_media_type"/, coding)
      }
    }))

  it.live("a client that disconnects while sending is no error of the service", () => {
    const lines: Array<string> = []
    const logger = Logger.map(Logger.formatJson, (line) => void lines.push(line))
    return Effect.gen(function*() {
      const { key, port } = yield* serve
      const headers = [`Authorization: Bearer ${key}`, "Content-Type: application/json", "Content-Length: 100"]
      const begun = head("PATCH /v1/knowledge/settings", ...headers)
      yield* Effect.callback<void>((resume) => {
        const socket = connect(port, "127.0.0.1", () => {
          socket.write(`${begun}{`, () => socket.destroy())
        })
        socket.on("close", () => resume(Effect.void))
      })
      const after = yield* exchange(port, [head("GET /v1/usage/current", `Authorization: Bearer ${key}`)])
      assert.match(after, /^HTTP\/1.1 200 /)
      assert.deepStrictEqual(lines, [])
    }).pipe(Effect.provide(Logger.layer([logger])))
  })

  it.live("paths are matched exactly", () =>
    Effect.gen(function*() {
      const { key, port } = yield* serve
      const paths = [
        "/v1/knowledge/settings/",
        "/V1/knowledge/settings",
        "//v1/knowledge/settings",
        "/v1/%zz",
        "/v1/../v1/usage/current",
        "*"
      ]
      for (const path of paths) {
        const answer = yield* exchange(port, [head(`GET ${path}`, `Authorization: Bearer ${key}`)])
        assert.match(answer, /^HTTP\/1.1 404 [^]*"error_code":"not_found"/, path)
      }
    }))
})
