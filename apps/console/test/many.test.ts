// Workspaces with many people, connections and jobs: all of them are found, and none is requested too often.
import type { Page, Route } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, seen, workspaceOf } from "./support/steps.ts"

const PEOPLE = 250

const people = Array.from({ length: PEOPLE }, (_, index) => ({
  user_id: `user-${index}`,
  name: `Person ${index}`,
  email: `person${index}@example.com`,
  email_proof: "none",
  role: "member",
  joined_at: "2026-05-05T10:00:00Z"
}))

/** Answers with a page of a list. */
const inPages = <A>(name: string, items: ReadonlyArray<A>, size: number) => (route: Route) => {
  const from = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 0)
  const next = from + size
  const next_cursor = next < items.length ? String(next) : null
  return route.fulfill({ json: { [name]: items.slice(from, next), next_cursor } })
}

const connection = (index: number) => ({
  connection_id: `connection-${index}`,
  provider: "files",
  name: `Folder ${index}`,
  config: {},
  status: "active",
  error: null,
  sync_config: { start: null, interval_minutes: 60 },
  created_at: "2026-05-05T10:00:00Z"
})

const job = (index: number, status: string) => ({
  job_id: `job-${index}`,
  query: `Question ${index}?`,
  status,
  created_at: "2026-05-05T10:00:00Z",
  attempt: 1,
  error: null
})

describe.skipIf(chromiumPath === null)("A workspace with many", () => {
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
  })
  afterAll(() => console?.close())
  afterEach(async () => {
    await page.unrouteAll()
    assert.deepStrictEqual(console.problems.take(), [])
  })

  it("people finds each of them", async () => {
    await page.route("**/console/api/**/members?*", inPages("members", people, 100))
    await page.goto(`${base}/members?q=person249`)
    await seen(page, "1 member")
    await page.locator(".rows").getByText("Person 249").waitFor()
    await fill(page, "Find somebody", "")
    await seen(page, `${PEOPLE} members`)
    assert.deepStrictEqual(await axeViolations(page), [])
  })

  it("people names each of them in the audit log", async () => {
    await page.route("**/console/api/**/members?*", inPages("members", people, 100))
    await page.route("**/v1/audit-log?*", (route) => {
      const entry = { entry_id: "one", action: "webhook.created", subject: "it", address: null, details: {} }
      const actor = { type: "user", id: "user-249" }
      return route.fulfill({
        json: { entries: [{ ...entry, actor, created_at: "2026-05-05T10:00:00Z" }], next_cursor: null }
      })
    })
    await page.goto(`${base}/audit-log`)
    await page.locator(".rows").getByText("Person 249").waitFor()
  })

  it("connections finds each whose deletions are to be confirmed, with one request for all", async () => {
    const connections = Array.from({ length: 50 }, (_, index) => connection(index))
    const held = connections.slice(0, 40).map(({ connection_id }) => ({ connection_id, deletions_held: 25 }))
    let states = 0
    await page.route("**/v1/connections", (route) => route.fulfill({ json: connections }))
    await page.route("**/held-deletions", (route) => route.fulfill({ json: { connections: held } }))
    await page.route("**/v1/connections/*/sync", async (route) => {
      states++
      await route.fulfill({ json: [] })
    })
    await page.goto(base)
    await seen(page, "25 deletions of “Folder 2” to confirm")
    await seen(page, "925 deletions of 37 more connections to confirm")
    assert.strictEqual(states, 0)
    assert.strictEqual(await page.locator(".note.warn").count(), 4)
    assert.deepStrictEqual(await axeViolations(page), [])
    await go(page, "925 deletions of 37 more connections to confirm")
    await seen(page, "40 sources")
    await fill(page, "Find a source", "39")
    await seen(page, "1 source")
    console.problems.foresee(/404/)
    await go(page, "Folder 39")
    await heading(page, "Connection")
  })

  it("keys says which are about to expire", async () => {
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    for (const [name, expires_at] of [["soon", days(3)], ["later", days(300)], ["never", null]] as const) {
      await console.operator.keys.create(workspaceOf(page), { name, scopes: ["knowledge:read"], expires_at })
    }
    await page.goto(base)
    await seen(page, "1 API key about to expire")
    assert.deepStrictEqual(await axeViolations(page), [])
    await go(page, "Show what expires")
    await seen(page, "1 key")
    await page.locator(".badge.warn").getByText("Expires in 2 days").waitFor()
    await page.getByLabel("State").selectOption("usable")
    await page.locator(".badge.good").getByText("Expires in 9 months").waitFor()
  })

  it("jobs reads them again less often, the more of them are shown", async () => {
    const jobs = Array.from({ length: 60 }, (_, index) => job(index, "running"))
    await page.route("**/v1/knowledge/ask/jobs?*", inPages("jobs", jobs, 20))
    await page.goto(`${base}/jobs`)
    for (const last of [39, 59]) {
      await page.getByRole("button", { name: "Show more" }).click()
      await seen(page, `Question ${last}?`)
    }
    const firstPage = () => page.waitForRequest((request) => /ask\/jobs\?(?!.*cursor)/.test(request.url()))
    await firstPage()
    const begun = Date.now()
    await firstPage()
    // Three pages every three seconds, not every second.
    assert.isAtLeast(Date.now() - begun, 2_000)
  })
})
