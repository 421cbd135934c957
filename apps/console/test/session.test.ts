// What stays behind when a session ends, in a browser that keeps pages for its Back button; and what tabs share.
import { type Browser, chromium, type Page, type Request } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { type Client, createClient } from "@tributary/client"
import { chromiumPath, wholeChromiumPath } from "../../../.ci/chromium.ts"
import { type Console, openConsole } from "./support/console.ts"
import { go, heading, press, seen, signIn } from "./support/steps.ts"

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

  it("uses one event stream for many tabs, which moves on when its tab is hidden or closed", async () => {
    const first = await console.newPage()
    const open = new Set<Request>()
    const watch = (page: Page) => {
      const isStream = (request: Request) => request.url().includes("/v1/runtime/events")
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
    const tabs = [first]
    // More than a browser has connections to one server.
    while (tabs.length < 8) {
      const tab = await console.newTab(first)
      watch(tab)
      await tab.goto(`${base}/events`)
      await tab.getByRole("link", { name: "plan" }).waitFor()
      tabs.push(tab)
    }
    await go(first, "Events")
    const followed = async (name: string, pages: ReadonlyArray<Page>) => {
      await client.ingest.text(connector, [{ external_id: name, title: name, text: `About ${name}.` }])
      for (const page of pages) await page.getByRole("link", { name, exact: true }).waitFor()
      assert.strictEqual(open.size, 1)
    }
    await seen(first, "Following")
    await followed("one", tabs)

    const leader = tabs.find((page) => [...open].some((request) => request.frame().page() === page))!
    await leader.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, value: true })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    const others = tabs.filter((page) => page !== leader)
    await followed("two", others)
    assert.isFalse([...open].some((request) => request.frame().page() === leader))

    await leader.evaluate(() => {
      Object.defineProperty(document, "hidden", { configurable: true, value: false })
      document.dispatchEvent(new Event("visibilitychange"))
    })
    // What passed while it was hidden is there.
    await leader.getByRole("link", { name: "two", exact: true }).waitFor()

    const next = tabs.find((page) => [...open].some((request) => request.frame().page() === page))!
    await next.close()
    await followed("three", tabs.filter((page) => page !== next))
    await leader.context().close()
  })
})
