// What stays behind when a session ends, in a browser that keeps pages for its Back button; and what tabs share.
import { type Browser, chromium, type Page, type Request } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { type Client, createClient } from "@tributary/client"
import { chromiumPath, wholeChromiumPath } from "../../../.ci/chromium.ts"
import { type Console, openConsole } from "./support/console.ts"
import { gone, heading, press, seen, signIn, workspaceOf } from "./support/steps.ts"

describe.skipIf(chromiumPath === null)("A session", () => {
  let console: Console
  let client: Client
  let connector: string

  beforeAll(async () => {
    console = await openConsole()
    client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Team wiki", source_name: "team-wiki" })
    connector = connector_id
    await client.ingest.text(connector, [{ external_id: "plan", title: "Plan", text: "The secret plan of the year." }])
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("that never existed is not reported as ended", async () => {
    console.problems.foresee(/401/)
    const page = await console.newPage()
    await page.goto(`${console.url}/console/`)
    await heading(page, "Sign in")
    assert.strictEqual(await page.getByText("Your session has ended").count(), 0)
    await page.context().close()
  })

  it("that begins in one tab continues in the others, where each was, and needs no second sign-in", async () => {
    // Of the tabs before the sign-in.
    console.problems.foresee(/401/)
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    const tab = await console.newTab(page)
    await tab.goto(`${base}/sources`)
    await heading(tab, "Sources")
    await press(page, "Sign out")
    await heading(page, "Sign in")
    await heading(tab, "Sign in")
    await signIn(page, await console.signInLink())
    await heading(tab, "Sources")
    await page.goto(`${console.url}/console/sign-in`)
    await heading(page, "Personal")
    await page.context().close()
  })

  it("that ends while a form is filled in keeps the form, which is saved after a sign-in in another tab", async () => {
    console.problems.foresee(/401/)
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    await page.goto(`${base}/sources`)
    await press(page, "Create connector")
    await page.getByLabel("Name", { exact: true }).click()
    await page.keyboard.type("Half filled")
    const [cookie] = await page.context().cookies()
    await fetch(`${console.url}/console/api/sign-out`, {
      method: "POST",
      headers: { "cookie": `${cookie!.name}=${cookie!.value}`, "origin": console.url, "x-tributary-console": "1" }
    })
    // The browser asks before it leaves the page.
    page.once("dialog", (dialog) => void dialog.dismiss())
    const create = page.getByRole("dialog").getByRole("button", { name: "Create connector" })
    await create.click()
    await seen(page, "Your session has ended. Sign in again in another tab")
    await signIn(await console.newTab(page), await console.signInLink())
    await create.click()
    await heading(page, "Half filled")
    await page.context().close()
  })

  it("does not begin without a link, and says so", async () => {
    console.problems.foresee(/401/)
    const page = await console.newPage()
    await page.goto(`${console.url}/console/`)
    await heading(page, "Sign in")
    await press(page, "Sign in")
    await seen(page, "Paste your sign-in link.")
    const field = page.getByLabel("Sign-in link")
    await field.and(page.locator("[aria-invalid=true]:focus")).waitFor()
    await field.fill(" ")
    await seen(page, "Paste your sign-in link.")
    await field.fill("a link")
    await gone(page, "Paste your sign-in link.")
    await page.context().close()
  })

  describe.skipIf(wholeChromiumPath === null)("in a browser that caches pages", () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: wholeChromiumPath!,
        args: ["--disable-gpu", "--disable-dev-shm-usage"],
        ignoreDefaultArgs: ["--disable-back-forward-cache"]
      })
    })
    afterAll(() => browser?.close())

    it("leaves no page behind once it has ended", async () => {
      const page = await browser.newPage()
      const base = await signIn(page, await console.signInLink())
      const document = await client.documents.getByExternalId(connector, "plan")
      await page.goto(`${base}/documents/${document.document_id}`)
      await seen(page, "The secret plan of the year.")
      await page.goto(`${base}/sources`)
      await heading(page, "Sources")
      await press(page, "Sign out")
      await heading(page, "Sign in")
      for (let step = 0; step < 2; step++) {
        await page.goBack()
        await heading(page, "Sign in")
      }
      assert.strictEqual(await page.getByText("The secret plan").count(), 0)
    })

    it("is checked again when a cached page is restored", async () => {
      const page = await browser.newPage()
      await signIn(page, await console.signInLink())
      await heading(page, "Personal")
      const loaded = page.waitForEvent("load")
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))
      await loaded
      await heading(page, "Personal")
    })
  })

  it("has answers without caching, and clears the cache when it ends", async () => {
    // What the page was asking for when it was signed out.
    console.problems.foresee(/401/)
    const page = await console.newPage()
    const [answer] = await Promise.all([
      page.waitForResponse(/\/v1\/usage\/current/),
      signIn(page, await console.signInLink())
    ])
    assert.strictEqual(answer.headers()["cache-control"], "no-store")
    const [end] = await Promise.all([page.waitForResponse(/\/console\/api\/sign-out/), press(page, "Sign out")])
    const headers = await end.allHeaders()
    assert.strictEqual(headers["clear-site-data"], "\"cache\"")
    assert.strictEqual(headers["cache-control"], "no-store")
    await heading(page, "Sign in")
    await page.context().close()
  })

  it("uses one event stream for all tabs, of two workspaces, which moves on when its tab is hidden or closed", async () => {
    const first = await console.newPage()
    const open = new Set<Request>()
    const watch = (page: Page) => {
      const isStream = (request: Request) => request.url().endsWith("/console/api/workspaces/events")
      page.on("request", (request) => {
        if (isStream(request)) open.add(request)
      })
      page.on("requestfailed", (request) => open.delete(request))
      page.on("requestfinished", (request) => open.delete(request))
      page.on("close", () => {
        for (const request of open) if (request.frame().page() === page) open.delete(request)
      })
    }
    watch(first)
    const base = await signIn(first, await console.signInLink())
    const { account_id } = await console.operator.workspaces.update(workspaceOf(first), { tier: "pro" })
    const { workspace_id } = await console.operator.workspaces.create({ account_id, name: "Team" })
    const { secret } = await console.operator.keys.create(workspace_id, { name: "Team", scopes: ["api:write"] })
    const ofTeam = createClient({ baseUrl: console.url, apiKey: secret })
    const handbook = await ofTeam.connectors.create({ name: "Handbook", source_name: "handbook" })
    const workspaces = [
      { address: base, of: client, connector },
      { address: `${console.url}/console/w/${workspace_id}`, of: ofTeam, connector: handbook.connector_id }
    ]
    const tabs: Array<{ readonly page: Page; readonly at: number }> = []
    // More than a browser has connections to one server.
    while (tabs.length < 8) {
      const at = tabs.length % 2
      const page = tabs.length === 0 ? first : await console.newTab(first)
      if (tabs.length > 0) watch(page)
      await page.goto(`${workspaces[at]!.address}/events`)
      await seen(page, "Following")
      tabs.push({ page, at })
    }
    const leader = () => [...open][0]!.frame().page()
    const followed = async (name: string, among: typeof tabs) => {
      for (const [at, { connector, of }] of workspaces.entries()) {
        await of.ingest.text(connector, [{
          external_id: `${name}-${at}`,
          title: `${name}-${at}`,
          text: `About ${name}.`
        }])
      }
      for (const { at, page } of among) {
        await page.getByRole("link", { name: `${name}-${at}`, exact: true }).waitFor()
        assert.strictEqual(await page.getByRole("link", { name: `${name}-${1 - at}` }).count(), 0)
      }
      assert.strictEqual(open.size, 1)
    }
    const show = (page: Page, hidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden })
        document.dispatchEvent(new Event("visibilitychange"))
      }, hidden)
    await followed("one", tabs)

    const hidden = leader()
    await show(hidden, true)
    await followed("two", tabs.filter(({ page }) => page !== hidden))
    assert.notStrictEqual(leader(), hidden)
    await show(hidden, false)
    // What passed while it was hidden is there.
    await followed("three", tabs)

    const closed = leader()
    await closed.close()
    const left = tabs.filter(({ page }) => page !== closed)
    await followed("four", left)

    for (const { page } of left) await show(page, true)
    await vi.waitFor(() => assert.strictEqual(open.size, 0), { timeout: 60_000 })
    await first.context().close()
  })

  it("of somebody else that begins in one tab is that of the others, too", async () => {
    // What the other tab asks before it has heard of it.
    console.problems.foresee(/403/)
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    const tab = await console.newTab(page)
    await tab.goto(`${base}/sources`)
    await heading(tab, "Sources")
    const { account_id } = await console.operator.accounts.create({ name: "Somebody else" })
    const { url } = await console.operator.signInLinks.create({ account_id })
    await signIn(page, url)
    await seen(tab, "Somebody else")
    await heading(tab, "Personal")
    assert.strictEqual(workspaceOf(tab), workspaceOf(page))
    await page.context().close()
  })
})
