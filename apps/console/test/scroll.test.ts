// A scroll through 100,000 documents, 10,000 of them in `npm test`: what the page holds stays the same, however far down it is.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { extent } from "../../../.ci/extent.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { seen } from "./support/steps.ts"

const MANY = extent(10_000, 100_000)
const MB = 1_000_000

interface Figures {
  frames: number
  rows: number
  /** Milliseconds of the longest task. */
  longest: number
  /** Where each list that was read begins. */
  readonly lists: Array<number>
}

/** Answers the lists of documents within the page, at once: what is measured is the page. */
const answerLists = (many: number): void => {
  const figures: Figures = { frames: 0, rows: 0, longest: 0, lists: [] }
  const { fetch } = globalThis
  const moment = "2026-05-05T10:00:00.000Z"
  const documentAt = (index: number) => ({
    document_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    external_id: `note-${index}`,
    source: "custom:archive",
    kind: "custom",
    title: `Note ${index} of the long archive`,
    url: null,
    size: 1_000,
    timestamp: moment,
    ends_at: null,
    metadata: {},
    created_at: moment,
    updated_at: moment,
    in_context: true
  })
  const answer: typeof fetch = (input, options) => {
    const url = new URL(String(input), location.href)
    if (url.pathname !== "/v1/documents") return fetch(input, options)
    const [first, limit] = [Number(url.searchParams.get("cursor") ?? 0), Number(url.searchParams.get("limit"))]
    figures.lists.push(first)
    const length = Math.min(limit, many - first)
    return Promise.resolve(Response.json({
      documents: Array.from({ length }, (_, index) => documentAt(first + index)),
      next_cursor: first + limit < many ? String(first + limit) : null,
      total_at_least: 10_000
    }))
  }
  Object.assign(globalThis, { fetch: answer, figures })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) figures.longest = Math.max(figures.longest, duration)
  }).observe({ type: "longtask" })
}

/** As a hand does that holds the scroll bar at its end. */
const scrollToEnd = (figures: Figures, last: string): Promise<void> =>
  new Promise((resolve) => {
    const frame = () => {
      figures.frames++
      const rows = document.querySelectorAll(".document-rows > .document-row")
      figures.rows = Math.max(figures.rows, rows.length)
      if (rows[rows.length - 1]?.textContent?.includes(last) === true) return resolve()
      scrollTo(0, document.documentElement.scrollHeight)
      requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })

describe.skipIf(chromiumPath === null)(`A scroll through ${MANY} documents`, () => {
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("renders only visible rows, keeps little of each, and reads each list once", async () => {
    const devTools = await page.context().newCDPSession(page)
    // Of the thread alone, however busy the machine is.
    await devTools.send("Performance.enable", { timeDomain: "threadTicks" })
    const measured = async () => {
      await devTools.send("HeapProfiler.collectGarbage")
      const { metrics } = await devTools.send("Performance.getMetrics")
      const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
      return { heap: of("JSHeapUsedSize"), seconds: of("TaskDuration") }
    }
    const figures = () => page.evaluate(() => (globalThis as unknown as { readonly figures: Figures }).figures)

    await page.addInitScript(answerLists, MANY)
    await page.goto(`${base}/documents`)
    await seen(page, "Note 0 of the long archive")
    const before = await measured()
    await page.evaluate(
      `(${scrollToEnd.toString()})(figures, ${JSON.stringify(`Note ${MANY - 1} of`)})`
    )
    const after = await measured()
    const taken = after.heap - before.heap
    const { frames, lists, longest, rows } = await figures()
    const [megabytes, seconds] = [Math.round(taken / MB), after.seconds - before.seconds]
    globalThis.console.log({ frames, rows, longest, megabytes, seconds, lists: lists.length })
    assert.isAtMost(rows, 60)
    assert.isBelow(taken, 100 * MB)
    assert.strictEqual(new Set(lists).size, MANY / 200)
    // The first ones are read again while they are few.
    assert.isAtMost(lists.length, MANY / 200 + 10)

    // A user who returns to the tab a minute later does not wait for 500 lists.
    await page.evaluate(async () => {
      const { now } = Date
      Date.now = () => now() + 60_000
      dispatchEvent(new Event("visibilitychange"))
      for (let frame = 0; frame < 30; frame++) await new Promise(requestAnimationFrame)
    })
    assert.strictEqual((await figures()).lists.length, lists.length)
  }, 300_000)
})
