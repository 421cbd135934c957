/** Large bodies that arrive slowly, while others wait for the places in which they are read. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { JSON_BODY } from "../../src/body/JsonBody.ts"
import { readBytes } from "../../src/body/RequestBytes.ts"
import type { Caller } from "../../src/middleware/Authorization.ts"
import { makeBodyGate } from "../../src/middleware/BodyGate.ts"
import { serve } from "../../src/mount/NodeServer.ts"
import { exchange, head } from "../support/rawHttp.ts"

const MIB = 1_048_576

const WORKSPACES = ["a", "b", "c", "d"]

/** A gate, and bodies whose bytes arrive when a test says so. */
const arriving = () => {
  const gate = makeBodyGate()
  const begun: Array<string> = []
  const begin = (workspace_id: string) => {
    const socket = { bytesRead: 0 }
    const request = { headers: { "content-length": String(32 * MIB) }, source: { socket } }
    const caller = { workspace: { workspace_id } } as Caller
    const read = Effect.andThen(Effect.sync(() => begun.push(workspace_id)), Effect.never)
    const steps = { read, work: () => Effect.void }
    const taken = Effect.result(gate.take(request as unknown as HttpServerRequest, 32 * MIB, caller, steps))
    return Effect.map(Effect.forkChild(taken, { startImmediately: true }), (fiber) => ({ fiber, socket }))
  }
  /** As many as are read at a time. */
  const fill = Effect.forEach(WORKSPACES.flatMap((workspace) => Array<string>(4).fill(workspace)), begin)
  return { begin, begun, fill }
}

const isOver = ({ fiber }: { readonly fiber: Fiber.Fiber<unknown, unknown> }) => fiber.pollUnsafe() !== undefined

describe("A body that arrives slowly", () => {
  it.effect("makes way for one that waits, with the reason that too many are worked on", () =>
    Effect.gen(function*() {
      const { begin, begun, fill } = arriving()
      const slow = yield* fill
      yield* begin("victim")
      assert.notInclude(begun, "victim")
      yield* TestClock.adjust("5 seconds")
      assert.include(begun, "victim")
      const [cut, ...others] = slow.filter(isOver)
      assert.lengthOf(others, 0)
      const outcome = yield* Fiber.join(cut!.fiber)
      assert.strictEqual(outcome._tag === "Failure" && outcome.failure._tag, "Overloaded")
    }))

  it.effect("makes way also if all workspaces that send slowly have as many waiting as they may", () =>
    Effect.gen(function*() {
      const { begin, begun } = arriving()
      yield* Effect.forEach(WORKSPACES.flatMap((workspace) => Array<string>(16).fill(workspace)), begin)
      yield* begin("victim")
      yield* TestClock.adjust("5 seconds")
      assert.include(begun, "victim")
    }))

  it.effect("keeps its place while nobody waits for it, or only its own workspace does", () =>
    Effect.gen(function*() {
      const { begin } = arriving()
      const bodies = yield* Effect.forEach(["a", "a", "a", "a", "a", "b"], begin)
      yield* TestClock.adjust("30 seconds")
      assert.lengthOf(bodies.filter(isOver), 0)
      const full = yield* arriving().fill
      yield* TestClock.adjust("30 seconds")
      assert.lengthOf(full.filter(isOver), 0)
    }))

  it.effect("is no body that arrives at 2 Mbit a second", () =>
    Effect.gen(function*() {
      const { begin, begun, fill } = arriving()
      const bodies = yield* fill
      yield* begin("victim")
      for (let second = 0; second < 20; second += 5) {
        for (const { socket } of bodies) socket.bytesRead += 1.25 * MIB
        yield* TestClock.adjust("5 seconds")
      }
      assert.lengthOf(bodies.filter(isOver), 0)
      assert.notInclude(begun, "victim")
    }))

  it.live("is answered although it is not read to its end", () =>
    Effect.gen(function*() {
      const refused = Effect.as(Effect.sleep("10 millis"), HttpServerResponse.text("busy", { status: 503 }))
      const read = Effect.flatMap(HttpServerRequest, (request) => readBytes(request, JSON_BODY, MIB))
      const app = Effect.orDie(Effect.raceFirst(Effect.as(read, HttpServerResponse.empty()), refused))
      const server = createServer()
      const platform = yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" }))
      yield* Effect.provide(serve(server, app), platform)
      const { port } = server.address() as AddressInfo
      const answer = yield* exchange(port, [`${head("POST /", "Content-Length: 300000")}{`])
      assert.match(answer, /^HTTP\/1\.1 503 [^]*busy$/)
    }))
})
