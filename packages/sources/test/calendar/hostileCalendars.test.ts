// What servers may answer in ten million characters is gone through once.
import { assert, describe, it } from "@effect/vitest"
import type { SyncStep } from "@tributary/core/ports/Provider"
import { Headers } from "undici"
import { type CalendarSplitter, makeCalendarSplitters } from "../../src/internal/caldav/CalendarSplitter.ts"
import type { EventReader } from "../../src/internal/caldav/EventReader.ts"
import { type Dav, makeDav, propfind } from "../../src/internal/caldav/dav.ts"
import { listCalendar } from "../../src/internal/caldav/listing.ts"
import { syncCalendarFile } from "../../src/internal/caldav/syncCalendarFile.ts"
import { threadMillis } from "../../../http/test/support/threadMillis.ts"

const { signal } = new AbortController()
const CALENDAR = { resource: "team", url: "https://example.org/ada/team/", token: null, isSynced: false }

const splitters = makeCalendarSplitters()

const unread: EventReader = { read: async () => null, end: async () => undefined }

const fileOf = (...lines: ReadonlyArray<string>) => ["BEGIN:VCALENDAR", ...lines, "END:VCALENDAR", ""].join("\r\n")

/** The number of skipped events of a calendar file, and the cursor. `afterEach` runs after each answer of the splitter. */
const synced = async (
  text: string,
  cursor: string | null = null,
  afterEach: (splitter: CalendarSplitter) => Promise<void> = async () => undefined
) => {
  const client = async () => ({
    status: 200,
    url: "https://example.org/team.ics",
    headers: new Headers(),
    body: new TextEncoder().encode(text)
  })
  const file = { url: "https://example.org/team.ics", credentials: undefined }
  const steps: Array<SyncStep> = []
  const request = { cursor, resource: "team", since: null }
  const all = splitters.stream((splitter) => {
    const read: CalendarSplitter["read"] = async (task) => {
      const answer = await splitter.read(task)
      await afterEach(splitter)
      return answer
    }
    const readers = { reader: unread, splitter: { ...splitter, read } }
    return syncCalendarFile(client, readers, file, request, signal)
  })
  for await (const step of all) steps.push(step)
  return {
    skipped: steps.filter(({ _tag }) => _tag === "Skipped").length,
    listed: steps.flatMap((step) => step._tag === "Listed" ? step.external_ids : []),
    cursor: steps.flatMap((step) => step._tag === "Checkpoint" ? [step.cursor] : []).at(-1) ?? null
  }
}

/** The longest time between two turns of the event loop, in milliseconds of processor time. */
const longestTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let longest = 0
  let before = threadMillis()
  let isOver = false
  const turn = () => {
    const now = threadMillis()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  await new Promise((resolve) => setImmediate(resolve))
  isOver = true
  return longest
}

describe("a calendar file", () => {
  const event = (...lines: ReadonlyArray<string>) => fileOf("BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT")

  it("with endless timestamps is read", async () => {
    assert.strictEqual((await synced(event("DTSTAMP\r".repeat(1_000_000)))).skipped, 1)
  })

  it("of ten thousand events never holds the thread of requests for long, even if none of them changed", async () => {
    const about = `DESCRIPTION:${"Some words about it. ".repeat(20)}`
    const events = Array.from({ length: 10_000 }, (_, uid) => ["BEGIN:VEVENT", `UID:${uid}`, about, "END:VEVENT"])
    const text = fileOf(...events.flat())
    const { cursor } = await synced(text)
    let skipped = -1
    const longest = await longestTurn(async () => {
      skipped = (await synced(text, cursor)).skipped
    })
    assert.strictEqual(skipped, 0)
    assert.isBelow(longest, 60)
  })

  it("is read to its end even if its thread ends in between", async () => {
    const events = Array.from({ length: 350 }, (_, uid) => ["BEGIN:VEVENT", `UID:${uid}`, "END:VEVENT"])
    const { listed } = await synced(fileOf(...events.flat()), null, (splitter) => splitter.end())
    assert.deepStrictEqual(listed, events.map((_, uid) => `team/${uid}`))
  })

  it("that was generated again without a change causes no update", async () => {
    const { cursor } = await synced(event("DTSTAMP:20260101T000000Z", "SUMMARY:Lunch"))
    assert.strictEqual((await synced(event("dtstamp;x=y:20260102T000000Z", "SUMMARY:Lunch"), cursor)).skipped, 0)
    assert.strictEqual((await synced(event("DTSTAMP:20260101T000000Z", "SUMMARY:Dinner"), cursor)).skipped, 1)
  })
})

describe("a list of a calendar's entries", () => {
  it("may contain paths of slashes, and the calendar itself, which is not an entry", async () => {
    const entry = (path: string) => ({ url: `https://example.org/${path}`, status: 200, properties: new Map() })
    const deep = entry(`${"/".repeat(10_000_000)}1.ics`)
    const dav = async () => ({
      url: CALENDAR.url,
      responses: [entry("ada/team"), entry("ada/team///"), entry("ada/team/2/"), deep],
      token: null
    })
    const { present } = await listCalendar(dav, CALENDAR, null)
    assert.deepStrictEqual(present.map(({ url }) => url), [deep.url])
  })

  it("is read completely if the server cuts its changes short, and does not go on", async () => {
    const asked: Array<string> = []
    const dav: Dav = async ({ method }) => {
      asked.push(method)
      const cut = { url: CALENDAR.url, status: 507, properties: new Map() }
      return { url: CALENDAR.url, responses: method === "REPORT" ? [cut] : [], token: "same" }
    }
    const { isComplete } = await listCalendar(dav, { ...CALENDAR, isSynced: true }, "same")
    assert.isTrue(isComplete)
    assert.deepStrictEqual(asked, ["REPORT", "PROPFIND"])
  })

  it("has the properties that were found, not those that are named as missing", async () => {
    const text = `<d:multistatus xmlns:d="DAV:"><d:response><d:href>/ada/team/1.ics</d:href>
      <d:propstat><d:prop><d:getetag>"a"</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
      <d:propstat><d:prop><d:data/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>
    </d:response></d:multistatus>`
    const client = async () => ({ status: 207, url: CALENDAR.url, headers: new Headers(), body: Buffer.from(text) })
    const { responses } = await propfind(makeDav(client, undefined, signal), CALENDAR.url, "1", "d:getetag", "d:data")
    assert.deepStrictEqual(responses.map(({ properties }) => [...properties.keys()]), [["getetag"]])
  })
})
