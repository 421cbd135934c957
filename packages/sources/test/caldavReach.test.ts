/** Events at the edge of a sync's reach. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { caldav } from "@tributary/sources/Caldav"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { brokenOff, itemOf, sync } from "./support/collect.ts"
import { olderServer } from "./support/calendarServers.ts"
import { describeWith } from "./support/describeWith.ts"
import { startNginx } from "./support/nginx.ts"
import type { Running } from "./support/programs.ts"
import { request, startRadicale } from "./support/radicale.ts"

const REACH = new Date("2026-01-01")

const event = (uid: string, day: string, summary = uid) =>
  ["BEGIN:VEVENT", `UID:${uid}`, `DTSTART:${day}T110000Z`, `SUMMARY:${summary}`, "END:VEVENT"].join("\r\n")

const calendar = (...events: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...events, "END:VCALENDAR", ""].join("\r\n")

const provider = caldav({ allowPrivateAddresses: ["127.0.0.1"] })

describeWith(["radicale", "nginx", "fcgiwrap"], "an event", () => {
  let radicale: Running
  let nginx: Running
  beforeAll(async () => {
    radicale = await startRadicale()
    nginx = await startNginx()
  })
  afterAll(() => Promise.all([radicale?.stop(), nginx?.stop()]))
  const ask = (method: string, path: string, body?: string) =>
    Effect.promise(() => request(radicale.port, method, path, body))
  const at = (port: number) => ({
    url: `http://127.0.0.1:${port}/`,
    username: "ada",
    password: Redacted.make("secret")
  })

  const onServer = (name: string) => (...events: ReadonlyArray<string>) =>
    Effect.forEach(events, (text) => {
      const uid = /UID:(\w+)/.exec(text)![1]
      return ask("PUT", `/ada/${name}/${uid}.ics`, calendar(text))
    })

  const WAYS = {
    "a server": Effect.fnUntraced(function*() {
      yield* ask("MKCALENDAR", "/ada/outside/")
      return { config: at(radicale.port), resource: "outside", suffix: ".ics", put: onServer("outside") }
    }),
    "a server that cannot say what changed": Effect.fnUntraced(function*() {
      const { port } = yield* olderServer(radicale.port)
      yield* ask("MKCALENDAR", "/ada/compared/")
      return { config: at(port), resource: "compared", suffix: ".ics", put: onServer("compared") }
    }),
    "a file": Effect.fnUntraced(function*() {
      const held = new Map<string, string>()
      const put = (...events: ReadonlyArray<string>) =>
        Effect.sync(() => {
          for (const text of events) held.set(/UID:\w+/.exec(text)![0], text)
          writeFileSync(join(nginx.folder, "www/team.ics"), calendar(...held.values()))
        })
      const config = { url: `http://127.0.0.1:${nginx.port}/team.ics` }
      return { config, resource: "calendar", suffix: "", put }
    })
  }

  for (const [where, make] of Object.entries(WAYS)) {
    it.live(`of ${where} that moves to before the start is updated with its new time`, () =>
      Effect.gen(function*() {
        const { config, put, resource, suffix } = yield* make()
        const ids = (...names: ReadonlyArray<string>) => names.map((name) => `${resource}/${name}${suffix}`)
        const pull = (cursor: string | null = null) => sync(provider, config, resource, cursor, REACH)
        yield* put(event("moving", "20260302"), event("staying", "20260303"), event("old", "20200101"))
        const first = yield* pull()
        assert.deepStrictEqual(first.upserts, ids("moving", "staying"))
        // A file server may distinguish two versions only by their lengths.
        yield* put(event("moving", "20210302", "moved"))
        const second = yield* pull(first.cursor)
        assert.deepStrictEqual(second.upserts, ids("moving"))
        assert.deepStrictEqual(itemOf(second, ids("moving")[0]!)?.timestamp, new Date("2021-03-02T11:00:00Z"))
        assert.deepStrictEqual((yield* pull()).upserts, ids("staying"))
      }))
  }

  it.live("from before the first sync is not mistaken for a moved one", () =>
    Effect.gen(function*() {
      const { port } = yield* olderServer(radicale.port)
      const many = Array.from({ length: 150 }, (_, number) => event(`e${number}`, "20200101"))
      yield* ask("PUT", "/ada/many/", calendar(...many))
      const cut = yield* brokenOff(provider, at(port), "many")
      const { upserts } = yield* sync(provider, at(port), "many", cut.cursor, REACH)
      assert.deepStrictEqual(upserts, [])
    }))

  it.live("from before is not mistaken for a moved one if the server lost its changes", () =>
    Effect.gen(function*() {
      yield* ask("MKCALENDAR", "/ada/forgetful/")
      const put = onServer("forgetful")
      yield* put(event("old", "20200101"))
      const { cursor } = yield* sync(provider, at(radicale.port), "forgetful", null, REACH)
      const forgotten = cursor!.replace(/"token":"[^"]*"/, "\"token\":\"http://radicale.org/ns/sync/unknown\"")
      const { upserts } = yield* sync(provider, at(radicale.port), "forgetful", forgotten, REACH)
      assert.deepStrictEqual(upserts, [])
    }))
})
