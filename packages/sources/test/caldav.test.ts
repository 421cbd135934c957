import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { caldav } from "@tributary/sources/Caldav"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { readEvent } from "../src/internal/caldav/readEvent.ts"
import { BERLIN } from "./support/berlin.ts"
import { brokenOff, itemOf, sync } from "./support/collect.ts"
import { startNginx } from "./support/nginx.ts"
import { changedServer, olderServer } from "./support/calendarServers.ts"
import { describeWith } from "./support/describeWith.ts"
import type { Running } from "./support/programs.ts"
import { request, startRadicale } from "./support/radicale.ts"

const event = (uid: string, ...lines: ReadonlyArray<string>) =>
  ["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260101T000000Z", ...lines, "END:VEVENT"].join("\r\n")

const calendar = (...parts: ReadonlyArray<string>) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//EN", ...parts, "END:VCALENDAR", ""].join("\r\n")

const lunch = (uid: string, summary: string) =>
  calendar(event(uid, "DTSTART:20260302T110000Z", "DTEND:20260302T120000Z", `SUMMARY:${summary}`))

const provider = caldav({ allowPrivateAddresses: ["127.0.0.1"] })

describeWith(["radicale", "nginx", "fcgiwrap"], "a connected calendar server", () => {
  let radicale: Running
  beforeAll(async () => {
    radicale = await startRadicale()
  })
  afterAll(() => radicale?.stop())
  const at = (path: string) => ({
    url: `http://127.0.0.1:${radicale.port}${path}`,
    username: "ada",
    password: Redacted.make("secret")
  })
  const ask = (method: string, path: string, body?: string) =>
    Effect.promise(() => request(radicale.port, method, path, body))

  it.live("returns its events, and then exactly the changed, added, moved and deleted ones", () =>
    Effect.gen(function*() {
      yield* ask("MKCALENDAR", "/ada/work/")
      yield* ask("MKCALENDAR", "/ada/home/")
      for (const name of ["a", "b", "c"]) yield* ask("PUT", `/ada/work/${name}.ics`, lunch(name, `lunch ${name}`))
      for (const path of ["/", "/ada/"]) {
        assert.deepStrictEqual([...yield* provider.resources(at(path))].sort(), ["home", "work"])
      }
      assert.deepStrictEqual(yield* provider.resources(at("/ada/work/")), ["work"])
      const first = yield* sync(provider, at("/"), "work")
      assert.deepStrictEqual(first.upserts, ["work/a.ics", "work/b.ics", "work/c.ics"])
      assert.deepStrictEqual(first.complete, first.upserts)
      assert.deepStrictEqual(itemOf(first, "work/a.ics"), {
        external_id: "work/a.ics",
        timestamp: new Date("2026-03-02T11:00:00Z"),
        payload: {
          kind: "calendar",
          title: "lunch a",
          start: "2026-03-02T11:00:00Z",
          end: "2026-03-02T12:00:00Z"
        },
        metadata: { uid: "a" }
      })
      const unchanged = yield* sync(provider, at("/"), "work", first.cursor)
      assert.deepStrictEqual(unchanged.steps.map(({ _tag }) => _tag), ["Checkpoint"])

      yield* ask("PUT", "/ada/work/a.ics", lunch("a", "dinner"))
      yield* ask("PUT", "/ada/work/d.ics", lunch("d", "new"))
      yield* ask("DELETE", "/ada/work/b.ics")
      yield* ask("PUT", "/ada/home/c.ics", lunch("c", "lunch c"))
      yield* ask("DELETE", "/ada/work/c.ics")
      const second = yield* sync(provider, at("/"), "work", first.cursor)
      assert.deepStrictEqual({ upserts: second.upserts, deletes: second.deletes }, {
        upserts: ["work/a.ics", "work/d.ics"],
        deletes: ["work/b.ics", "work/c.ics"]
      })
      assert.deepStrictEqual((yield* sync(provider, at("/"), "home")).upserts, ["home/c.ics"])

      yield* ask("PUT", "/ada/work/a.ics", lunch("a", "lunch a"))
      assert.deepStrictEqual((yield* sync(provider, at("/"), "work", second.cursor)).upserts, ["work/a.ics"])
      const forgotten = second.cursor!.replace(/"token":"[^"]*"/, "\"token\":\"http://radicale.org/ns/sync/unknown\"")
      assert.deepStrictEqual((yield* sync(provider, at("/"), "work", forgotten)).complete, ["work/a.ics", "work/d.ics"])
    }))

  it.live("without change tracking is compared with its previous state", () =>
    Effect.gen(function*() {
      const { asked, port } = yield* olderServer(radicale.port)
      const config = { ...at("/"), url: `http://127.0.0.1:${port}/` }
      yield* ask("MKCALENDAR", "/ada/old/")
      const weekly = calendar(
        BERLIN,
        event("c", "DTSTART;TZID=Europe/Berlin:20260320T100000", "RRULE:FREQ=WEEKLY;COUNT=3", "SUMMARY:weekly")
      )
      for (const name of ["a", "b"]) yield* ask("PUT", `/ada/old/${name}.ics`, lunch(name, name))
      yield* ask("PUT", "/ada/old/c.ics", weekly)
      const first = yield* sync(provider, config, "old", null, new Date("2026-01-01"))
      assert.deepStrictEqual(first.complete, ["old/a.ics", "old/b.ics", "old/c.ics"])
      // The clocks of Berlin change in between.
      assert.deepStrictEqual(itemOf(first, "old/c.ics")?.payload?.["occurrences"], [
        "2026-03-20T10:00:00+01:00",
        "2026-03-27T10:00:00+01:00",
        "2026-04-03T10:00:00+02:00"
      ])
      const unchanged = yield* sync(provider, config, "old", first.cursor, new Date("2026-01-01"))
      assert.deepStrictEqual(unchanged.steps.map(({ _tag }) => _tag), ["Checkpoint"])

      yield* ask("PUT", "/ada/old/a.ics", lunch("a", "changed"))
      yield* ask("PUT", "/ada/old/d.ics", lunch("d", "added"))
      yield* ask("DELETE", "/ada/old/b.ics")
      const second = yield* sync(provider, config, "old", first.cursor, new Date("2026-01-01"))
      assert.deepStrictEqual(second.upserts, ["old/a.ics", "old/d.ics"])
      assert.deepStrictEqual(second.complete, ["old/a.ics", "old/c.ics", "old/d.ics"])

      // A text that comes back is a change, too.
      yield* ask("PUT", "/ada/old/a.ics", lunch("a", "a"))
      assert.deepStrictEqual((yield* sync(provider, config, "old", second.cursor)).upserts, ["old/a.ics"])
      assert.notInclude(asked, "REPORT sync-collection")
    }))

  it.live("is found behind the front page of its host", () =>
    Effect.gen(function*() {
      const front = yield* Effect.acquireRelease(
        Effect.promise(() => startNginx(radicale.port)),
        ({ stop }) => Effect.promise(() => stop())
      )
      yield* ask("MKCALENDAR", "/ada/behind/")
      const names = yield* provider.resources({ ...at("/"), url: `http://127.0.0.1:${front.port}/` })
      assert.include(names, "behind")
    }))

  it.live("that cannot report that many changes at once is listed completely", () =>
    Effect.gen(function*() {
      let isTooMuch = false
      const { port } = yield* changedServer(
        radicale.port,
        (question, text) => question === "sync-collection" && isTooMuch ? 507 : text
      )
      const config = { ...at("/"), url: `http://127.0.0.1:${port}/` }
      yield* ask("MKCALENDAR", "/ada/many/")
      yield* ask("PUT", "/ada/many/a.ics", lunch("a", "a"))
      const first = yield* sync(provider, config, "many")
      yield* ask("PUT", "/ada/many/b.ics", lunch("b", "b"))
      isTooMuch = true
      assert.deepStrictEqual((yield* sync(provider, config, "many", first.cursor)).complete, [
        "many/a.ics",
        "many/b.ics"
      ])
    }))

  it.live("with two spellings of its paths, or a delayed event, loses none", () =>
    Effect.gen(function*() {
      let isKeptBack = true
      const { port } = yield* changedServer(radicale.port, (question, text) =>
        question !== "calendar-multiget"
          ? text
          : text.replaceAll("/ada/odd/a.ics", "/ada/odd/%61.ics")
            .replace(/<href>[^<]*b\.ics<\/href>/, (href) => isKeptBack ? "<href>/elsewhere</href>" : href))
      const config = { ...at("/"), url: `http://127.0.0.1:${port}/` }
      yield* ask("MKCALENDAR", "/ada/odd/")
      for (const name of ["a", "b"]) yield* ask("PUT", `/ada/odd/${name}.ics`, lunch(name, name))
      const first = yield* sync(provider, config, "odd")
      assert.deepStrictEqual([first.upserts, first.skipped, first.complete], [
        ["odd/a.ics"],
        ["odd/b.ics"],
        ["odd/a.ics", "odd/b.ics"]
      ])
      assert.deepStrictEqual((yield* sync(provider, config, "odd", first.cursor)).skipped, ["odd/b.ics"])
      isKeptBack = false
      const second = yield* sync(provider, config, "odd", first.cursor)
      assert.deepStrictEqual([second.upserts, second.skipped], [["odd/b.ics"], []])
      const third = yield* sync(provider, config, "odd", second.cursor)
      assert.deepStrictEqual(third.steps.map(({ _tag }) => _tag), ["Checkpoint"])
    }))

  it.live("resumes from the last checkpoint", () =>
    Effect.gen(function*() {
      const many = calendar(
        ...Array.from({ length: 150 }, (_, number) => event(`${number}`, "DTSTART:20260302T110000Z"))
      )
      yield* ask("PUT", "/ada/large/", many)
      const first = yield* brokenOff(provider, at("/"), "large")
      assert.strictEqual(first.upserts.length, 100)
      const second = yield* sync(provider, at("/"), "large", first.cursor)
      assert.strictEqual(second.upserts.length, 50)
      assert.strictEqual(second.complete?.length, 150)
    }))

  it.live("reaches back to the start, and reports a wrong password or a missing calendar", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* sync(provider, at("/"), "work", null, new Date("2027-01-01"))).upserts, [])
      const wrong = { ...at("/"), password: Redacted.make("guess") }
      assert.strictEqual((yield* Effect.flip(sync(provider, wrong, "work")))._tag, "CredentialsRefused")
      assert.strictEqual((yield* Effect.flip(sync(provider, at("/"), "gone")))._tag, "SourceGone")
    }))
})

describeWith(["nginx", "fcgiwrap"], "a published calendar", () => {
  let nginx: Running
  beforeAll(async () => {
    nginx = await startNginx()
  })
  afterAll(() => nginx?.stop())

  it.live("returns its events, and then exactly the changed, added and deleted ones", () =>
    Effect.gen(function*() {
      const config = { url: `http://127.0.0.1:${nginx.port}/team.ics` }
      const publish = (...events: ReadonlyArray<string>) =>
        writeFileSync(join(nginx.folder, "www/team.ics"), calendar(BERLIN, ...events))
      const start = "DTSTART;TZID=Europe/Berlin:20260702T110000"
      publish(event("a", start, "SUMMARY:A"), event("b", start, "SUMMARY:a long\r\n  line"))
      assert.deepStrictEqual(yield* provider.resources(config), ["calendar"])
      const first = yield* sync(provider, config, "calendar")
      assert.deepStrictEqual(first.complete, ["calendar/a", "calendar/b"])
      assert.deepInclude(itemOf(first, "calendar/b")?.payload, {
        title: "a long line",
        start: "2026-07-02T11:00:00+02:00"
      })
      const unchanged = yield* sync(provider, config, "calendar", first.cursor)
      assert.deepStrictEqual(unchanged.steps.map(({ _tag }) => _tag), ["Checkpoint"])

      publish(event("b", start, "SUMMARY:B"), event("c", start, "SUMMARY:C"))
      const second = yield* sync(provider, config, "calendar", first.cursor)
      assert.deepStrictEqual(second.upserts, ["calendar/b", "calendar/c"])
      assert.deepStrictEqual(second.complete, ["calendar/b", "calendar/c"])
    }))

  it.live("reports events without occurrences, and is not held up by them", () =>
    Effect.gen(function*() {
      const never = event("never", "DTSTART:20260101T100000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31")
      const change = ["DTSTART:20200101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"]
      const zone = ["TZID:Endless", "BEGIN:STANDARD", ...change, "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=31"]
      const endless = event("endless", "DTSTART;TZID=Endless:20260101T100000")
      const fine = event("fine", "DTSTART:20260101T100000Z")
      writeFileSync(
        join(nginx.folder, "www/odd.ics"),
        calendar(
          "BEGIN:VTIMEZONE",
          ...zone,
          "END:STANDARD",
          "END:VTIMEZONE",
          endless,
          never,
          fine,
          event("damaged", "DTSTART:x")
        )
      )
      const { skipped, upserts } = yield* sync(provider, { url: `http://127.0.0.1:${nginx.port}/odd.ics` }, "calendar")
      assert.deepStrictEqual(skipped, ["calendar/damaged", "calendar/endless"])
      assert.deepStrictEqual(upserts, ["calendar/fine", "calendar/never"])
    }))
})

describe("an event", () => {
  const window = { now: new Date("2026-03-01"), from: new Date("2026-03-01"), to: new Date("2026-12-31") }

  it("with recurrence lists its occurrences in local time, without exceptions and with moved ones", () => {
    const read = readEvent(
      calendar(
        BERLIN,
        event(
          "1",
          "DTSTART;TZID=Europe/Berlin:20260320T100000",
          "DTEND;TZID=Europe/Berlin:20260320T110000",
          "RRULE:FREQ=WEEKLY;COUNT=5",
          "EXDATE;TZID=Europe/Berlin:20260327T100000",
          "SUMMARY:Meeting",
          "ORGANIZER;CN=Ada:mailto:ada@example.org"
        ),
        event(
          "1",
          "RECURRENCE-ID;TZID=Europe/Berlin:20260403T100000",
          "DTSTART;TZID=America/New_York:20260403T120000",
          "DURATION:PT1H",
          "SUMMARY:Moved"
        ),
        event(
          "1",
          "RECURRENCE-ID;TZID=Europe/Berlin:20260410T100000",
          "DTSTART;TZID=Europe/Berlin:20260410T100000",
          "STATUS:CANCELLED",
          "SUMMARY:Meeting"
        )
      ),
      window
    )
    assert.deepStrictEqual(read?.payload, {
      title: "Meeting",
      start: "2026-03-20T10:00:00+01:00",
      end: "2026-04-17T11:00:00+02:00",
      organizer: "Ada <ada@example.org>",
      repeats: "FREQ=WEEKLY;COUNT=5",
      occurrences: [
        "2026-03-20T10:00:00+01:00 to 2026-03-20T11:00:00+01:00",
        "2026-04-03T12:00:00-04:00 to 2026-04-03T13:00:00-04:00",
        "2026-04-17T10:00:00+02:00 to 2026-04-17T11:00:00+02:00"
      ],
      exceptions: ["Moved"]
    })
  })

  it("in a zone that it does not define is in that zone, with all its occurrences", () => {
    const read = readEvent(
      calendar(event(
        "1",
        "DTSTART;TZID=Europe/Berlin:20261024T100000",
        "RRULE:FREQ=DAILY;UNTIL=20261027T090000Z",
        "EXDATE:20261026T080000Z",
        "EXDATE:20261026T090000Z",
        "EXDATE;VALUE=DATE:20261027"
      )),
      window
    )
    assert.deepStrictEqual(read?.payload["occurrences"], ["2026-10-24T10:00:00+02:00", "2026-10-25T10:00:00+01:00"])
  })

  it("with added dates takes place on these as well, also as periods", () => {
    const added = [
      "RDATE:20260305T100000Z",
      "RDATE;VALUE=PERIOD:20260307T100000Z/PT3H,20260308T100000Z/20260308T110000Z"
    ]
    const read = readEvent(calendar(event("1", "DTSTART:20260302T100000Z", "DURATION:PT1H", ...added)), window)
    assert.deepStrictEqual(
      read?.payload["occurrences"],
      ["02", "05", "07", "08"].map((day) => `2026-03-${day}T10:00:00Z to 2026-03-${day}T11:00:00Z`)
    )
  })

  it("with invalid values has the others, also if its start is a day without saying so", () => {
    const invalid = ["DTEND:", "EXDATE:", "EXDATE:20260304", "RDATE:soon", "X-A:b", "SUMMARY:Lunch"]
    const read = readEvent(calendar(event("1", "DTSTART:20260303", "RRULE:FREQ=DAILY;COUNT=3", ...invalid)), window)
    assert.deepInclude(read?.payload, {
      title: "Lunch",
      occurrences: ["2026-03-03", "2026-03-05"]
    })
  })

  it("that began long ago is expanded from the relevant time, according to its rule", () => {
    const occurrences = (rule: string) =>
      readEvent(calendar(event("1", "DTSTART:19700101T100000Z", `RRULE:${rule}`)), window)?.payload["occurrences"]
    assert.deepStrictEqual(occurrences("FREQ=HOURLY;INTERVAL=2400;UNTIL=20261001T000000Z"), [
      "2026-05-27T10:00:00Z",
      "2026-09-04T10:00:00Z"
    ])
    assert.lengthOf(occurrences("FREQ=DAILY") ?? [], 200)
  })

  it("includes the differences of its exceptions", () => {
    const read = readEvent(
      calendar(
        event("1", "DTSTART:20260302T100000Z", "RRULE:FREQ=DAILY;COUNT=2", "SUMMARY:Lunch", "LOCATION:Here"),
        event("1", "RECURRENCE-ID:20260303T100000Z", "DTSTART:20260303T100000Z", "SUMMARY:Lunch", "DESCRIPTION:Cake")
      ),
      window
    )
    assert.deepStrictEqual(read?.payload["exceptions"], ["Cake"])
  })

  it("without an end covers the window, and lists future occurrences, no more than a person reads", () => {
    const daily = calendar(event("1", "DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=DAILY"))
    const occurrencesAt = (now: string) => {
      const read = readEvent(daily, { ...window, now: new Date(now) })
      assert.deepInclude(read?.payload, { start: "2026-02-28T00:00:00Z", end: "2027-01-01T00:00:00Z" })
      const named = read?.payload["occurrences"]
      assert.isTrue(Array.isArray(named) && named.length === 200)
      return [named![0]!.slice(0, 10), named!.at(-1)!.slice(0, 10)]
    }
    assert.deepStrictEqual(occurrencesAt("2026-03-01"), ["2026-02-28", "2026-09-15"])
    assert.deepStrictEqual(occurrencesAt("2026-06-01"), ["2026-04-11", "2026-10-27"])
    assert.deepStrictEqual(occurrencesAt("2026-12-01"), ["2026-06-15", "2026-12-31"])
  })

  it("of a whole day, without an end, or with a due day, has its time", () => {
    const day = readEvent(calendar(event("1", "DTSTART;VALUE=DATE:20260302")), window)
    assert.deepStrictEqual(day?.payload, {
      start: "2026-03-02T00:00:00Z",
      end: "2026-03-03T00:00:00Z",
      days: "2026-03-02"
    })
    const leave = calendar(event("1", "DTSTART;VALUE=DATE:20260302", "DTEND;VALUE=DATE:20260305"))
    assert.deepInclude(readEvent(leave, window)?.payload, { days: "2026-03-02 to 2026-03-04" })
    const todo = readEvent(calendar("BEGIN:VTODO", "UID:1", "DUE:20260302T100000Z", "END:VTODO"), window)
    assert.deepInclude(todo?.payload, { start: "2026-03-02T10:00:00Z" })
    assert.isNull(readEvent(calendar("BEGIN:VTODO", "UID:1", "END:VTODO"), window))
    const floating = readEvent(calendar(event("1", "DTSTART;TZID=Nowhere/City:20260302T100000")), window)
    assert.deepInclude(floating?.payload, { start: "2026-03-02T10:00:00Z" })
  })
})
