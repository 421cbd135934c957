// How much a workspace was used: by day, by operation, with what was refused, and how fast it was answered.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { refusalsOf, summariesOf } from "../src/usage/summary.ts"
import { type Console, openSignedIn, seriousViolations } from "./support/console.ts"
import { go, heading, seen } from "./support/steps.ts"

const SEARCH = "POST /v1/knowledge/search"

describe("What a history comes to", () => {
  const day = (requests: number, p50_ms: number | null, refusals: Record<string, number>) => ({
    day: "2026-11-01",
    documents: 1,
    storage: 1,
    operations: [{ operation: SEARCH, requests, refusals, p50_ms, p95_ms: p50_ms === null ? null : p50_ms * 3 }]
  })
  const days = [day(10, 5, { rate_limited: 2 }), day(4, null, { rate_limited: 1, not_found: 3 }), day(6, 9, {})]

  it("is the sum of its days, the middle of their medians and the slowest of them", () => {
    assert.deepStrictEqual(summariesOf(days), [
      { operation: SEARCH, requests: 20, refused: 6, typical: 9, slow: 27 }
    ])
    assert.deepStrictEqual(refusalsOf(days), [["rate_limited", 3], ["not_found", 3]])
  })
})

describe.skipIf(chromiumPath === null)("The page Usage", () => {
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    for (let index = 0; index < 3; index++) await client.knowledge.search({ q: "zeppelin" })
    await client.documents.get("00000000-0000-4000-8000-000000000000").catch(() => undefined)
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("shows requests, refusals by code and how fast answers came, for one operation by a link, too", async () => {
    await page.goto(base)
    await go(page, "Usage")
    await heading(page, "Usage")
    await page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: SEARCH, exact: true }) })
      .getByRole("cell", { name: "3", exact: true }).waitFor()
    await page.getByRole("region", { name: "Refusals by code" }).getByText("not_found").waitFor()
    assert.deepStrictEqual(await seriousViolations(page), [])
    await page.getByRole("combobox", { name: "Operation", exact: true }).selectOption(SEARCH)
    await seen(page, "Time until the answer begins")
    await page.reload()
    await seen(page, "Nothing was refused.")
    assert.strictEqual(
      await page.getByRole("table", { name: "requests by day" }).getByRole("cell").first().textContent(),
      "3"
    )
    assert.deepStrictEqual(await seriousViolations(page), [])
  })
})
