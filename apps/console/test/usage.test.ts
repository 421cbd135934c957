// How much a workspace was used: by day, by operation, with what was refused, and how fast it was answered.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { bytes, milliseconds } from "../src/ui/numbers.ts"
import { refusalsOf, summariesOf } from "../src/usage/summary.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { sampleUsage } from "./support/sample.ts"
import { go, heading, press, seen } from "./support/steps.ts"

const SEARCH = "POST /v1/knowledge/search"

describe("The summary of a history", () => {
  const day = (requests: number, p50_ms: number | null, refusals: Record<string, number>) => ({
    day: "2026-11-01",
    documents: 1,
    storage: 1,
    operations: [{ operation: SEARCH, requests, refusals, p50_ms, p95_ms: p50_ms === null ? null : p50_ms * 3 }]
  })
  const days = [day(10, 5, { rate_limited: 2 }), day(4, null, { rate_limited: 1, not_found: 3 }), day(6, 9, {})]

  it("has the sum of its days, the middle of their medians and the slowest day", () => {
    assert.deepStrictEqual(summariesOf(days), [
      { operation: SEARCH, requests: 20, refused: 6, typical: 9, slow: 27 }
    ])
    assert.deepStrictEqual(refusalsOf(days), [["rate_limited", 3], ["not_found", 3]])
  })
})

describe("A number", () => {
  it("has three digits at most before its unit", () => {
    const sizes = [0, 1, 999, 1_000, 99_949, 99_950, 999_499, 999_500, 99_960_000, 500_000_000, 1e15]
    assert.deepStrictEqual(sizes.map(bytes), [
      "0 bytes",
      "1 byte",
      "999 bytes",
      "1.0 kB",
      "99.9 kB",
      "100 kB",
      "999 kB",
      "1.0 MB",
      "100 MB",
      "500 MB",
      "1000 TB"
    ])
    assert.deepStrictEqual([999.4, 999.6, 1_449].map(milliseconds), ["999 ms", "1.0 s", "1.4 s"])
  })
})

/** More than what the console itself asks meanwhile, and within the limit of a minute. */
const SEARCHES = 18

describe.skipIf(chromiumPath === null)("The page Usage", () => {
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    for (let index = 0; index < SEARCHES; index++) await client.knowledge.search({ q: "zeppelin" })
    await client.documents.get("00000000-0000-4000-8000-000000000000").catch(() => undefined)
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("shows requests, refusals by code and response times, for one operation also by a link", async () => {
    await page.goto(base)
    await go(page, "Usage")
    await heading(page, "Usage")
    await page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: SEARCH, exact: true }) })
      .getByRole("cell", { name: `${SEARCHES}`, exact: true }).waitFor()
    await page.getByRole("region", { name: "Refusals by code" }).getByText("not_found").waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    // The busiest first, until another column is chosen.
    const operations = page.getByRole("region", { name: "By operation" }).getByRole("rowheader")
    assert.strictEqual(await operations.first().textContent(), SEARCH)
    await press(page, "Operation")
    await page.getByRole("columnheader", { name: "Operation" }).and(page.locator("[aria-sort=ascending]")).waitFor()
    assert.match((await operations.first().textContent())!, /^GET /)
    await page.getByRole("combobox", { name: "Operation", exact: true }).selectOption(SEARCH)
    await seen(page, "Time until the answer begins")
    await page.reload()
    await seen(page, "Nothing was refused.")
    assert.strictEqual(
      await page.getByRole("table", { name: "requests by day" }).getByRole("cell").first().textContent(),
      `${SEARCHES}`
    )
    assert.deepStrictEqual(await axeViolations(page), [])
  })
  it("zooms a chart to days by a drag, by keys or by dates, and back", async () => {
    const { days } = sampleUsage(Date.now())
    await page.route("**/v1/usage/history*", (route) => route.fulfill({ json: { days } }))
    await page.goto(`${base}/usage`)
    const chart = page.getByRole("slider", { name: "requests, day by day" })
    const table = page.getByRole("table", { name: "requests by day" })
    const shown = async () => {
      const rows = table.getByRole("row")
      return await rows.count() - 1
    }
    await chart.waitFor()
    assert.strictEqual(await shown(), 90)
    // Round labels from zero to at least the highest bar, and few days.
    const axis = (side: string) =>
      page.getByRole("region", { name: "Requests by day" }).locator(`.visx-axis-${side} text`).allTextContents()
    assert.deepStrictEqual(await axis("left"), ["0", "100", "200", "300", "400"])
    assert.match((await axis("bottom")).join(), /^([A-Z][a-z]{2} \d+,?){2,7}$/)

    // Backwards, from the middle of day 50 to the middle of day 41.
    const box = (await chart.boundingBox())!
    const over = (day: number) => [box.x + (day + 0.5) / 90 * box.width, box.y + 20] as const
    await page.mouse.move(...over(50))
    await page.mouse.down()
    await page.mouse.move(...over(45))
    await page.mouse.move(...over(41))
    await page.mouse.up()
    await page.waitForURL((url) => url.searchParams.get("from") === days[41]!.day)
    assert.strictEqual(new URL(page.url()).searchParams.get("to"), days[50]!.day)
    assert.strictEqual(await shown(), 10)
    const total = days.slice(41, 51).reduce((sum, { operations }) => sum + operations[1]!.requests, 0)
    await page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: SEARCH, exact: true }) })
      .getByRole("cell", { name: new Intl.NumberFormat("en").format(total), exact: true }).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])

    // Of these ten, the second to the fourth.
    await chart.focus()
    await page.keyboard.press("Home")
    await page.keyboard.press("ArrowRight")
    assert.match((await chart.getAttribute("aria-valuetext"))!, /^[A-Z].* \d{4}, requests \d+, refused \d+$/)
    await page.keyboard.press("Shift+ArrowRight")
    await page.keyboard.press("Shift+ArrowRight")
    assert.match((await chart.getAttribute("aria-valuetext"))!, / to /)
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.keyboard.press("Enter")
    await page.waitForURL((url) => url.searchParams.get("to") === days[44]!.day)
    assert.strictEqual(await page.getByLabel("From", { exact: true }).inputValue(), days[42]!.day)
    assert.strictEqual(await shown(), 3)
    await page.reload()
    await chart.waitFor()
    assert.strictEqual(await shown(), 3)

    await chart.focus()
    await page.keyboard.press("Escape")
    await page.waitForURL((url) => !url.searchParams.has("from"))
    assert.strictEqual(await shown(), 90)
    await page.getByLabel("From", { exact: true }).fill(days[89]!.day)
    await page.waitForURL((url) => url.searchParams.has("from"))
    assert.strictEqual(await shown(), 1)
    await press(page, "Show all days")
    await page.waitForURL((url) => !url.searchParams.has("from"))
    await page.getByLabel("Up to and including").fill("2020-01-01")
    await seen(page, "No usage of these days")
    await page.unroute("**/v1/usage/history*")

    // Also with text of twice the size, its labels are apart from each other, and within the card.
    await page.evaluate(() => document.documentElement.style.fontSize = "200%")
    await go(page, "Overview")
    await go(page, "Usage")
    const card = page.getByRole("region", { name: "Documents", exact: true })
    await card.locator(".visx-axis-left text").nth(2).waitFor()
    const labels = await card.locator(".visx-axis-left text").evaluateAll((texts) =>
      texts.map((text) => text.getBoundingClientRect())
    )
    assert.isAbove(labels.length, 2)
    for (const [index, { bottom }] of labels.slice(1).entries()) assert.isAtMost(bottom, labels[index]!.top + 4)
    const { x } = (await card.boundingBox())!
    for (const { left } of labels) assert.isAbove(left, x)
  })
})
