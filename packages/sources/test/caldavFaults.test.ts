/** Calendar servers that break off, fall silent and lie. */
import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import type { SyncStep } from "@tributary/core/ports/Provider"
import { caldav } from "@tributary/sources/Caldav"
import { Effect, Redacted, Stream } from "effect"
import { afterAll, beforeAll } from "vitest"
import { BAD_WEB_SERVERS, badServer } from "./support/badServers.ts"
import { outcome, sync } from "./support/collect.ts"
import { describeWith } from "./support/describeWith.ts"
import { interposed } from "./support/interposed.ts"
import type { Running } from "./support/programs.ts"
import { request, startRadicale } from "./support/radicale.ts"

const LOCAL = { allowPrivateAddresses: ["127.0.0.1"] }

const provider = caldav(LOCAL)
/** Even a busy machine answers within this time. */
const waiting = caldav({ ...LOCAL, timeoutMillis: 10_000 })
const impatient = caldav({ ...LOCAL, timeoutMillis: 200 })

const event = (number: number) =>
  `BEGIN:VEVENT\r\nUID:${number}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260302T110000Z\r\nEND:VEVENT\r\n`

const at = (port: number) => ({
  url: `http://127.0.0.1:${port}/`,
  username: "ada",
  password: Redacted.make("secret")
})

describeWith(["radicale"], "a connected calendar server", () => {
  let radicale: Running
  beforeAll(async () => {
    radicale = await startRadicale()
  })
  afterAll(() => radicale?.stop())

  /** What is sent on of the body that holds the events after the first hundred. */
  const SPOILED: Readonly<Record<string, (body: Buffer, client: Socket) => void>> = {
    "is cut": (_, client) => void client.destroy(),
    "falls silent": () => undefined,
    "turns to garbage": (body, client) => void client.write(body.map((byte) => byte ^ 0x55)),
    "ends before the length that it named": (body, client) => void client.end(body.subarray(0, body.length / 2))
  }
  it.live("whose connection breaks within its events is retried later, without a missing event", () =>
    Effect.gen(function*() {
      const events = Array.from({ length: 110 }, (_, number) => event(number))
      const text = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\n${events.join("")}END:VCALENDAR\r\n`
      yield* Effect.promise(() => request(radicale.port, "PUT", "/ada/spoiled/", text))
      for (const [what, spoil] of Object.entries(SPOILED)) {
        let asked = 0
        const port = yield* interposed(
          radicale.port,
          (piece, before, client) => {
            if (asked < 2) return piece
            const head = before === 0 ? piece.indexOf("\r\n\r\n") + 4 : 0
            client.write(piece.subarray(0, head))
            if (head < piece.length) spoil(piece.subarray(head), client)
            return null
          },
          (piece) => void (asked += piece.includes("calendar-multiget ") ? 1 : 0)
        )
        const steps: Array<SyncStep> = []
        const failure = yield* Effect.flip(
          waiting.sync({ config: at(port), resource: "spoiled", cursor: null, since: null }).pipe(
            Stream.runForEach((step) => Effect.sync(() => steps.push(step)))
          )
        )
        assert.strictEqual(failure._tag, "RetryableFailure", `${what}: ${failure.message}`)
        const first = outcome(steps)
        assert.deepStrictEqual([first.upserts.length, first.complete], [100, null], what)
        const rest = yield* sync(provider, at(radicale.port), "spoiled", first.cursor)
        assert.strictEqual(new Set([...first.upserts, ...rest.upserts]).size, 110, what)
        assert.strictEqual(rest.complete?.length, 110, what)
      }
    }))
})

describe("a calendar's server", () => {
  for (const [what, serve] of Object.entries(BAD_WEB_SERVERS)) {
    it.live(`that ${what} is retried later`, () =>
      Effect.gen(function*() {
        const port = yield* badServer(serve)
        for (const [path, resource] of [["", "work"], ["team.ics", "calendar"]] as const) {
          const failure = yield* Effect.flip(sync(impatient, { url: `http://127.0.0.1:${port}/${path}` }, resource))
          assert.strictEqual(failure._tag, "RetryableFailure", failure.message)
        }
      }))
  }

  /** Named without a length, so that only its end shows whether it is whole. */
  const listing = (...properties: ReadonlyArray<readonly [path: string, property: string]>) => {
    const responses = properties.map(([path, property]) =>
      `<response><href>${path}</href><propstat><prop>${property}</prop><status>HTTP/1.1 200 OK</status></propstat></response>`
    )
    return `<multistatus xmlns="DAV:">${responses.join("")}</multistatus>`
  }
  it.live("whose listing ends in the middle is retried later, because it is not complete", () =>
    Effect.gen(function*() {
      const calendar = listing(["/work/", "<resourcetype><collection/><calendar/></resourcetype>"])
      const events = listing(["/work/1.ics", "<getetag>1</getetag>"], ["/work/2.ics", "<getetag>2</getetag>"])
      const answered = (events: string) =>
        badServer((socket) =>
          void socket.once(
            "data",
            (head) =>
              socket.end(`HTTP/1.1 207 Multi-Status\r\n\r\n${/^depth: 0/im.test(head.toString()) ? calendar : events}`)
          )
        )
      const failureOf = Effect.fnUntraced(function*(events: string) {
        const url = `http://127.0.0.1:${yield* answered(events)}/work/`
        return yield* Effect.flip(sync(impatient, { url }, "work"))
      })
      const cut = yield* failureOf(events.slice(0, events.indexOf("/work/2.ics")))
      assert.deepInclude(cut, { _tag: "RetryableFailure" })
      assert.match(cut.message, /ends in the middle/)
      const unclosed = yield* failureOf(events.slice(0, -1))
      assert.match(unclosed.message, /ends in the middle/)
    }))

  it.effect("is not contacted at a private address", () =>
    Effect.gen(function*() {
      for (const url of ["http://127.0.0.1:8080/", "webcal://localhost/a.ics", "https://[fd00:ec2::254]/"]) {
        assert.strictEqual((yield* Effect.flip(caldav().resources({ url })))._tag, "FatalFailure", url)
      }
    }))
})
