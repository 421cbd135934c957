/** Events on their way to receivers that do what no receiver should, over a real network of this machine. */
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { WebhookSender } from "@tributary/core/WebhookSender"
import { Effect } from "effect"
import type { Network } from "../src/internal/network/guardedAddresses.ts"
import { layer } from "../src/WebhookSender.ts"
import { badServer } from "./support/badServers.ts"

const LOCAL: Network = { allowPrivateAddresses: ["127.0.0.1"] }

const sendTo = (url: string, network: Network = LOCAL) =>
  Effect.flatMap(
    WebhookSender,
    ({ send }) => send({ url, headers: { "content-type": "application/json", "webhook-id": "1" }, body: "{\"a\":1}" })
  ).pipe(
    Effect.provide(layer(network))
  )

const refusal = (effect: ReturnType<typeof sendTo>) => Effect.map(Effect.flip(effect), ({ message }) => message)

const answering = (head: string, body = "") => (socket: Socket) =>
  void socket.once("data", () => socket.end(`HTTP/1.1 ${head}\r\nconnection: close\r\n\r\n${body}`))

/** What such a server is sent to, and how that ends. */
const from = (serve: (socket: Socket) => void, network: Network = LOCAL) =>
  Effect.map(badServer(serve), (port) => sendTo(`http://127.0.0.1:${port}/hook`, network))

describe("a receiver", () => {
  it.live("gets the body unchanged, with the headers, and its answer is returned", () =>
    Effect.gen(function*() {
      let request = ""
      const send = yield* from((socket) =>
        void socket.on("data", (bytes) => {
          request += bytes.toString()
          if (request.endsWith("{\"a\":1}")) socket.end("HTTP/1.1 202 Accepted\r\ncontent-length: 4\r\n\r\ndone")
        })
      )
      assert.deepStrictEqual(yield* send, { status: 202, body: "done", retryAfterSeconds: undefined })
      assert.match(request, /^POST \/hook HTTP\/1\.1\r\n/)
      assert.match(request, /\r\nwebhook-id: 1\r\n/)
      assert.match(request, /\r\nuser-agent: Tributary\r\n/)
    }))

  it.live("is reported by its answer: failing, gone, or asking for time", () =>
    Effect.gen(function*() {
      const failing = yield* from(answering("500 Oops", "no"))
      assert.deepStrictEqual(yield* failing, { status: 500, body: "no", retryAfterSeconds: undefined })
      assert.strictEqual((yield* yield* from(answering("410 Gone"))).status, 410)
      const busy = yield* yield* from(answering("429 Slow down\r\nretry-after: 120"))
      assert.deepInclude(busy, { status: 429, retryAfterSeconds: 120 })
    }))

  it.live("redirects nobody", () =>
    Effect.gen(function*() {
      let followed = 0
      const elsewhere = yield* badServer(() => void followed++)
      const send = yield* from(answering(`307 Moved\r\nlocation: http://127.0.0.1:${elsewhere}/`))
      assert.strictEqual((yield* send).status, 307)
      assert.strictEqual(followed, 0)
    }))

  it.live("that answers endlessly or slowly has answered: only the beginning is kept", () =>
    Effect.gen(function*() {
      // Its end is not its timeout.
      const endless = yield* from((socket) =>
        void socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          const more = () => socket.destroyed || void (socket.write("x".repeat(65_536)) && setImmediate(more))
          socket.on("drain", more)
          more()
        }), { ...LOCAL, timeoutMillis: 600_000 })
      const { body, status } = yield* endless
      assert.deepStrictEqual([status, body.length], [200, 2_048])
      const slow = yield* from(
        (socket) => void socket.once("data", () => socket.write("HTTP/1.1 204 OK\r\ncontent-length: 99\r\n\r\nhalf")),
        { ...LOCAL, timeoutMillis: 3_000 }
      )
      assert.strictEqual((yield* slow).status, 204)
      const dripping = yield* from((socket) =>
        void socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          const drip = setInterval(() => socket.write("x"), 10)
          socket.on("close", () => clearInterval(drip))
        }), { ...LOCAL, timeoutMillis: 300 })
      assert.isBelow((yield* dripping).body.length, 2_048)
    }))

  it.live("that does not answer, disconnects, or does not exist, is reported with the cause", () =>
    Effect.gen(function*() {
      const silent = yield* from(() => undefined, { ...LOCAL, timeoutMillis: 300 })
      assert.match(
        yield* refusal(silent),
        /^127\.0\.0\.1:\d+ (did not answer within 0\.3 seconds|cannot be reached: .*)\.$/
      )
      const torn = yield* from((socket) => void socket.once("data", () => socket.destroy()))
      assert.match(yield* refusal(torn), /^127\.0\.0\.1:\d+ cannot be reached: .+\.$/)
      const noHttp = yield* from((socket) => void socket.once("data", () => socket.end("\x00\x01 hello\r\n\r\n")))
      assert.match(yield* refusal(noHttp), /cannot be reached/)
      assert.match(yield* refusal(sendTo("http://127.0.0.1:1/")), /cannot be reached/)
    }))
})

describe("an address", () => {
  const check = (url: string, network: Network) =>
    Effect.flatMap(WebhookSender, (sender) => sender.check(url)).pipe(
      Effect.as("fine"),
      Effect.catch(({ message }) => Effect.succeed(message)),
      Effect.provide(layer(network))
    )
  const leadingTo = (...addresses: ReadonlyArray<string>): Network => ({ resolve: async () => addresses })

  it.live("that is private is refused, for a new webhook and for events, unless the operator allows it", () =>
    Effect.gen(function*() {
      let reached = 0
      const port = yield* badServer(() => void reached++)
      for (const url of [`http://127.0.0.1:${port}/`, `https://[::1]:${port}/`, "https://10.0.0.1/"]) {
        assert.include(yield* check(url, {}), "is a private or reserved address")
        assert.include(yield* refusal(sendTo(url, {})), "is a private or reserved address")
      }
      assert.include(yield* check("https://inside.example/", leadingTo("192.168.1.1")), "is a private")
      assert.strictEqual(reached, 0)
      assert.strictEqual(yield* check(`http://127.0.0.1:${port}/`, LOCAL), "fine")
    }))

  it.live("of a cloud's metadata service is refused, with any setting", () =>
    Effect.gen(function*() {
      const everything = { allowPrivateAddresses: true }
      for (const url of ["http://169.254.169.254/latest", "http://[fd00:ec2::254]/", "http://168.63.129.16/"]) {
        assert.include(yield* check(url, everything), "is a private or reserved address")
      }
    }))

  it.live("that is public is allowed with https, and refused with http", () =>
    Effect.gen(function*() {
      const outside = leadingTo("93.184.216.34")
      assert.strictEqual(yield* check("https://hooks.example/", outside), "fine")
      assert.strictEqual(
        yield* check("http://hooks.example/", outside),
        "hooks.example is a public address, where events are sent over https only."
      )
    }))

  it.live("contains no password", () =>
    Effect.gen(function*() {
      for (const user of ["ada:secret", "ada", ":secret"]) {
        assert.include(yield* check(`https://${user}@hooks.example/`, leadingTo("93.184.216.34")), "no user name")
      }
    }))

  it.live("that changes after the check is checked again", () =>
    Effect.gen(function*() {
      let reached = 0
      const port = yield* badServer(() => void reached++)
      const url = `https://rebound.example:${port}/`
      const answers = ["93.184.216.34", "127.0.0.1"]
      const rebinding: Network = { resolve: async () => [answers.shift()!] }
      const outcome = yield* Effect.gen(function*() {
        const sender = yield* WebhookSender
        yield* sender.check(url)
        return yield* Effect.flip(sender.send({ url, headers: {}, body: "{}" }))
      }).pipe(Effect.provide(layer(rebinding)))
      assert.include(outcome.message, "is a private or reserved address")
      assert.strictEqual(reached, 0)
    }))
})
