import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Deferred, Effect, Fiber, Layer, type Schema } from "effect"
import { afterAll, describe, expect, it } from "@effect/vitest"
import * as ControlChannel from "../src/ControlChannel.ts"
import { DataDirectory } from "../src/DataDirectory.ts"
import { longestLine } from "../src/internal/jsonLine.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-control-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let directories = 0

class Greeting extends Context.Service<Greeting, string>()("Greeting") {}

const answer: ControlChannel.Answer<Greeting> = Effect.fnUntraced(function*(name: string, payload: Schema.Json) {
  if (name === "greet") return { greeting: yield* Greeting, payload }
  if (name === "bug") return yield* Effect.die(new Error("secret detail"))
  if (name === "long") return "x".repeat(longestLine)
  return yield* new ControlChannel.RequestRefused({ message: `no ${name} here` })
})

const serve = (answers: ControlChannel.Answer<Greeting>) =>
  Effect.gen(function*() {
    const path = join(root, String(++directories))
    yield* Layer.build(
      ControlChannel.layer(answers).pipe(
        Layer.provideMerge(DataDirectory.layer(path)),
        Layer.provide(Layer.succeed(Greeting, "hello"))
      )
    )
    return path
  })

/** What a client that keeps to no protocol gets back. */
const raw = (path: string, bytes: string | Buffer) =>
  Effect.callback<string>((resume) => {
    const socket = connect(join(path, "control.sock"), () => socket.write(bytes))
    let text = ""
    socket.on("data", (chunk) => {
      text += String(chunk)
    }).on("end", () => {
      socket.destroy()
      resume(Effect.succeed(text))
    }).on("error", (error) => resume(Effect.die(error)))
  })

describe("ControlChannel", () => {
  it.effect("carries a request and its answer", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* serve(answer)
      const payload = { text: "line\nbreak 🦊", list: [1, null] }
      expect(yield* ControlChannel.request(path, "greet", payload)).toEqual({ greeting: "hello", payload })
      const many = yield* Effect.all(
        Array.from({ length: 20 }, (_, n) => ControlChannel.request(path, "greet", n)),
        { concurrency: "unbounded" }
      )
      expect(many.length).toBe(20)
    })))

  it.effect("has no server while the holder of the directory does not serve", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = join(root, String(++directories))
      yield* Layer.build(DataDirectory.layer(path))
      expect(yield* Effect.flip(ControlChannel.request(path, "greet", null))).toMatchObject({ _tag: "NoServer" })
    })))

  it.effect("carries an error, but no details of a bug", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* serve(answer)
      expect(yield* Effect.flip(ControlChannel.request(path, "dance", null))).toMatchObject({
        _tag: "RequestRefused",
        message: "no dance here"
      })
      const bug = yield* Effect.flip(ControlChannel.request(path, "bug", null))
      expect(bug.message).toBe("the request failed; see the server's log")
    })))

  it.effect("refuses messages that are too long, in both directions, and stays up", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* serve(answer)
      const request = yield* Effect.flip(ControlChannel.request(path, "greet", "x".repeat(longestLine)))
      expect(request.message).toBe("the request is too long")
      expect(yield* raw(path, Buffer.alloc(longestLine + 1, "x"))).toContain(`longer than ${longestLine} bytes`)
      expect((yield* Effect.flip(ControlChannel.request(path, "long", null))).message).toBe("the answer is too long")
      expect(yield* ControlChannel.request(path, "greet", 1)).toEqual({ greeting: "hello", payload: 1 })
    })))

  it.effect("refuses invalid requests", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* serve(answer)
      for (const text of ["GET / HTTP/1.1\n", "[]\n", "{\"name\":1}\n", "\n"]) {
        expect(yield* raw(path, text)).toContain("no JSON object with a name")
      }
      expect(yield* raw(path, "{\"name\":\"greet\"}\n")).toContain("hello")
    })))

  it.effect("returns the process that holds the directory", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* serve(answer)
      expect(JSON.parse(yield* raw(path, "{\"name\":\"pid\"}\n"))).toEqual({ pid: process.pid, serves: true })
    })))

  it.effect("distinguishes a missing server from one that does not answer", () =>
    Effect.gen(function*() {
      const path = yield* Effect.scoped(serve(answer))
      expect(yield* Effect.flip(ControlChannel.request(path, "greet", null))).toMatchObject({ _tag: "NoServer" })
      expect(yield* Effect.flip(ControlChannel.request(join(root, "nowhere"), "greet", null))).toMatchObject({
        _tag: "NoServer"
      })
      yield* Effect.scoped(Effect.gen(function*() {
        const busy = yield* serve(() => Effect.never)
        const late = yield* Effect.flip(ControlChannel.request(busy, "greet", null, { timeout: 20 }))
        expect(late).toMatchObject({ _tag: "ControlChannelBroken" })
      }))
    }))

  it.effect("refuses more requests at once than anybody needs, until some have left", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* serve((name) => name === "wait" ? Effect.never : Effect.succeed(name))
      const waiting = yield* Effect.forEach(
        Array.from({ length: 40 }),
        () => Effect.forkChild(Effect.flip(ControlChannel.request(path, "wait", null)))
      )
      const refused = yield* Effect.raceAll(waiting.map(Fiber.join))
      expect(refused.message).toBe("too many requests at once")
      yield* Fiber.interruptAll(waiting)
      expect(yield* Effect.eventually(ControlChannel.request(path, "next", null))).toBe("next")
    })))

  it.effect("stops its work for a client that disconnects", () =>
    Effect.scoped(Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const stopped = yield* Deferred.make<void>()
      const path = yield* serve(() =>
        Effect.andThen(Deferred.succeed(started, undefined), Effect.never).pipe(
          Effect.onInterrupt(() => Deferred.succeed(stopped, undefined))
        )
      )
      const client = yield* Effect.forkChild(ControlChannel.request(path, "wait", null))
      yield* Deferred.await(started)
      yield* Fiber.interrupt(client)
      yield* Deferred.await(stopped)
    })))
})
