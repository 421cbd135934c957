// A scroll through 100,000 documents: what the page holds and does stays the same, however far down it is.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { seen } from "./support/steps.ts"

const MANY = 100_000
const MB = 1_000_000
const SOURCE = "custom:archive"

/** As the service lists it. */
const documentAt = (index: number) => ({
  document_id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
  external_id: `note-${index}`,
  source: SOURCE,
  kind: "custom",
  title: `Note ${index} of the long archive`,
  url: null,
  size: 1_000,
  timestamp: "2026-05-05T10:00:00.000Z",
  ends_at: null,
  metadata: {},
  created_at: "2026-05-05T10:00:00.000Z",
  updated_at: "2026-05-05T10:00:00.000Z",
  in_context: true
})

describe.skipIf(chromiumPath === null)("A scroll through 100,000 documents", () => {
  let console: Console
  let page: Page
  let base: string
  const asked: Array<number> = []

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
    // The lists come at once, so that what is measured is the page.
    await page.route("**/v1/documents?*", async (route) => {
      const query = new URL(route.request().url()).searchParams
      const first = Number(query.get("cursor") ?? 0)
      asked.push(first)
      const limit = Number(query.get("limit"))
      const next = first + limit
      const documents = Array.from({ length: Math.min(limit, MANY - first) }, (_, index) => documentAt(first + index))
      await route.fulfill({
        json: { documents, next_cursor: next < MANY ? String(next) : null, total_at_least: 10_000 }
      })
    })
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("renders what is in sight, keeps little for each, and reads nothing twice", async () => {
    const network = await page.context().newCDPSession(page)
    await network.send("Performance.enable")
    const metrics = async () => {
      await network.send("HeapProfiler.collectGarbage")
      const { metrics } = await network.send("Performance.getMetrics")
      const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0
      return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), script: of("ScriptDuration") }
    }
    await page.goto(`${base}/documents`)
    await seen(page, "Note 0 of the long archive")
    await page.evaluate(() => {
      const figures = { frames: 0, longest: 0, rows: 0 }
      Object.assign(globalThis, { figures })
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) figures.longest = Math.max(figures.longest, duration)
      }).observe({ type: "longtask" })
      // As a hand does that holds the key down.
      const frame = () => {
        figures.frames++
        figures.rows = Math.max(figures.rows, document.querySelectorAll(".document-rows > .document-row").length)
        scrollBy(0, innerHeight * 4)
        if (document.body.textContent?.includes("Note 99999 of") !== true) requestAnimationFrame(frame)
      }
      requestAnimationFrame(frame)
    })
    const before = await metrics()
    await page.getByText("Note 99999 of the long archive").waitFor({ timeout: 240_000 })
    const after = await metrics()
    const figures = await page.evaluate(() =>
      (globalThis as unknown as { readonly figures: Record<"frames" | "longest" | "rows", number> }).figures
    )
    globalThis.console.log({ ...figures, script: after.script - before.script, before, after, lists: asked.length })
    assert.isAtMost(figures.rows, 60)
    assert.isBelow(after.heap - before.heap, 150 * MB)
    // Once each, but for the first ones, which are read again while they are few.
    assert.strictEqual(new Set(asked).size, MANY / 200)
    assert.isAtMost(asked.length, MANY / 200 + 10)

    // The one who comes back to the tab does not wait for 500 lists.
    const read = asked.length
    const usage = page.waitForResponse((response) => response.url().includes("/console/api/"))
    await page.evaluate(() => dispatchEvent(new Event("visibilitychange")))
    await usage
    assert.isAtMost(asked.length, read + 1)
  }, 300_000)
})
