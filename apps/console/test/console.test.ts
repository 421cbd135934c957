// The console in a browser, against the real server: from the first sign-in to a cited answer, and what may come between.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openConsole } from "./support/console.ts"
import { sampleItems } from "./support/sample.ts"
import { go, heading, press, seen, workspaceOf } from "./support/steps.ts"

const HOSTILE = `"><img src=x onerror="window.hit=1"><script>window.hit=1</script>{{7*7}} \u202egnp.exe`

describe.skipIf(chromiumPath === null)("The console", () => {
  let console: Console
  /** Of the owner of the account, who is signed in from the first test on. */
  let page: Page
  let base: string

  beforeAll(async () => {
    console = await openConsole()
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("leads from the first sign-in to the first cited answer", async () => {
    page = await console.newPage()
    await page.goto(`${console.url}/console/`)
    console.problems.foresee(/401/)
    await heading(page, "Sign in")
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.goto(await console.signInLink())
    await seen(page, "Nothing is stored yet")
    assert.notInclude(page.url(), "token")
    base = page.url().replace(/\/$/, "")

    await press(page, "Create a connector")
    await page.getByLabel("Name", { exact: true }).fill("Team handbook")
    assert.strictEqual(await page.getByLabel("Source name").inputValue(), "team-handbook")
    await page.getByRole("dialog").getByRole("button", { name: "Create connector" }).click()
    await heading(page, "Team handbook")
    await page.locator("input[type=file]").setInputFiles([
      {
        name: "deploys.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# Deploys\n\nDeploys run on weekdays before 16:00. A release manager approves each one.")
      },
      {
        name: "incidents.txt",
        mimeType: "text/plain",
        buffer: Buffer.from("Whoever is on call opens an incident and names a lead.")
      }
    ])
    await seen(page, "2 files: 2 stored")
    await page.getByRole("link", { name: "Deploys" }).waitFor()

    await go(page, "Playground")
    await page.getByLabel("Question").fill("Who approves a release?")
    await page.keyboard.press("Enter")
    await seen(page, "extractive")
    await page.getByRole("list", { name: "Citations" }).waitFor()
    await page.getByRole("list", { name: "Citations" }).getByRole("link").first().click()
    await heading(page, "Deploys")
    await page.locator("mark").filter({ hasText: "A release manager approves each one." }).waitFor()
  })

  it("shows the same call as curl and as TypeScript, and finds with highlights", async () => {
    await page.goto(`${base}/playground`)
    await press(page, "Search")
    await page.getByLabel("Search for").fill("who's on call")
    await page.keyboard.press("Enter")
    await page.getByRole("region", { name: "Results" }).getByText("call").first().waitFor()
    assert.include(await page.locator("mark").allTextContents(), "call")
    assert.include((await page.locator("pre").textContent())!, `"q": "who'\\''s on call"`)
    await press(page, "TypeScript")
    assert.include((await page.locator("pre").textContent())!, "client.knowledge.search({")
  })

  it("creates a key, shows its secret once, and rotates it without a gap", async () => {
    await page.goto(`${base}/keys`)
    await press(page, "Create key")
    await page.getByLabel("Name", { exact: true }).fill("website")
    await page.getByRole("radio", { name: "Ask and search" }).check()
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
    const secret = (await page.getByLabel("The secret").textContent())!
    assert.match(secret, /^pk_live_\w{43}$/)
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "I have copied it")
    const old = createClient({ baseUrl: console.url, apiKey: secret })
    await old.knowledge.settings()
    assert.notInclude(await page.content(), secret)

    await press(page, "Rotate website")
    await press(page, "Create the new key")
    const next = createClient({ baseUrl: console.url, apiKey: (await page.getByLabel("The secret").textContent())! })
    await press(page, "My programs have it")
    await seen(page, "The old key still has traffic")
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 5 * 60_000
    })
    await seen(page, "The old key is quiet")
    assert.deepStrictEqual(await axeViolations(page), [])
    await next.knowledge.settings()
    await old.knowledge.settings()
    await press(page, "Go on")
    await press(page, "Revoke the old key")
    await seen(page, "The old key is revoked")
    await next.knowledge.settings()
    const refused = await old.knowledge.settings().then(() => null, ({ status }: { readonly status: number }) => status)
    assert.strictEqual(refused, 401)
    await press(page, "Done")
    await seen(page, "Revoked")
  })

  it("previews a range, saves it, and shows the build of the context", async () => {
    const workspace = workspaceOf(page)
    await console.operator.workspaces.update(workspace, { tier: "pro" })
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const [connector] = await client.connectors.list()
    await client.ingest.text(connector!.connector_id, sampleItems(Date.now()))
    await page.goto(`${base}/knowledge`)
    await seen(page, /documents in the context/)
    const start = page.getByRole("slider", { name: "Start of the range" })
    await start.focus()
    for (let press = 0; press < 7; press++) await page.keyboard.press("PageUp")
    const days = page.getByLabel("Days", { exact: true }).first()
    await vi.waitFor(async () => assert.strictEqual(await days.inputValue(), "155"), { timeout: 150_000 })
    await seen(page, /fewer than now/)
    await press(page, "Save range")
    await seen(page, "Saved.")
    await seen(page, "Up to date")
    assert.deepStrictEqual((await client.knowledge.settings()).temporal_settings.start, { type: "relative", days: 155 })
  })

  it("says what to do when the plan is full", async () => {
    const workspace = workspaceOf(page)
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { used } = (await client.usage()).entitlements.documents
    await console.operator.workspaces.update(workspace, { limits: { documents: used } })
    console.problems.foresee(/402/)
    await page.goto(`${base}/sources`)
    await go(page, "Team handbook")
    await page.locator("input[type=file]").setInputFiles({
      name: "one-more.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("One more.")
    })
    await seen(page, "Refused")
    await go(page, "Overview")
    await seen(page, "Full")
    await console.operator.workspaces.update(workspace, { limits: { documents: 10_000 } })
  })

  it("shows a hostile title as text, everywhere", async () => {
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const [connector] = await client.connectors.list()
    const text = `Zeppelins are moored at the mast of the old tower. ${HOSTILE}`
    const { items } = await client.ingest.text(connector!.connector_id, [{
      external_id: HOSTILE,
      title: HOSTILE,
      text
    }])
    await page.goto(`${base}/playground`)
    await page.getByLabel("Question").fill("Where are zeppelins moored?")
    await page.keyboard.press("Enter")
    const cited = page.getByRole("list", { name: "Citations" }).getByRole("link").first()
    assert.strictEqual(await cited.textContent(), HOSTILE)
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    assert.include((await page.locator(".document").textContent())!, HOSTILE)
    assert.strictEqual(await page.getByRole("heading", { level: 1 }).first().textContent(), HOSTILE)
    for (const name of ["", "/events", `/connectors/${connector!.connector_id}`]) {
      await page.goto(`${base}${name}`)
      await page.getByRole("link").filter({ hasText: "window.hit=1" }).first().waitFor()
    }
    assert.isUndefined(await page.evaluate(() => (globalThis as { readonly hit?: number }).hit))
    await client.documents.delete(items[0]!.document_id!)
  })

  it("isolates two tabs with different workspaces, and ends both with the session", async () => {
    await page.goto(`${base}/members`)
    await press(page, "New shared workspace")
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Research")
    await press(page, "Create workspace")
    await heading(page, "Research")
    const tab = await console.newTab(page)
    await tab.goto(base)
    await heading(tab, "Personal")
    await go(page, "Sources")
    await seen(page, "No source yet")
    await go(tab, "Sources")
    await seen(tab, "Team handbook")
    console.problems.foresee(/401/)
    await press(page, "Sign out")
    await heading(page, "Sign in")
    await heading(tab, "Sign in")
    await seen(tab, "Your session has ended")
    await tab.close()
    await page.goto(await console.signInLink())
    await page.waitForURL(/\/w\//)
  })

  it("shows that the server is unavailable, and continues by itself when it is back", async () => {
    console.problems.foresee(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|503|Failed to load resource|server: /)
    await page.goto(base)
    await heading(page, "Personal")
    await console.stopServer()
    await seen(page, "The server does not answer. This page continues by itself when it does.")
    assert.deepStrictEqual(await axeViolations(page), [])
    await console.startServer()
    await page.locator(".offline").waitFor({ state: "detached" })
    await go(page, "Sources")
    await seen(page, "Team handbook")
  })
})
