// The server is away, the line is slow, or the store is in memory.
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { startServer } from "../../server/test/serverProcess.ts"
import { type Console, openConsole } from "./support/console.ts"
import { go, heading, seen, signIn } from "./support/steps.ts"

const AWAY = [/ERR_|Failed to load resource|Failed to fetch|503|server: /]

describe.skipIf(chromiumPath === null)("While the server is unavailable or slow", () => {
  let console: Console

  beforeAll(async () => {
    console = await openConsole()
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("the first paint does not wait for scripts", async () => {
    const page = await console.newPage()
    await page.route("**/*.js", () => {})
    await page.goto(`${console.url}/console/`, { waitUntil: "commit" })
    await page.getByText("Tributary", { exact: true }).waitFor()
    assert.isTrue(await page.locator(".skeleton").isVisible())
    await page.context().close()
  })

  it("preloaded pages open, and show the error", async () => {
    const page = await console.newPage()
    await signIn(page, await console.signInLink())
    await heading(page, "Personal")
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/AuditLog-"))
    )
    console.problems.foresee(...AWAY)
    await console.stopServer()
    await go(page, "Members")
    await heading(page, "Members")
    await seen(page, "The server does not answer. This page goes on by itself when it does.")
    await console.startServer()
    await page.locator(".offline").waitFor({ state: "detached" })
    await page.context().close()
  })

  it("a page that is not loaded shows an error, and opens when the server is available again", async () => {
    const page = await console.newPage()
    console.problems.foresee(...AWAY, /page could not be loaded/)
    await page.route("**/assets/Members-*.js", (route) => route.abort())
    await signIn(page, await console.signInLink())
    await heading(page, "Personal")
    await go(page, "Members")
    await heading(page, "This page is not here yet")
    await page.unroute("**/assets/Members-*.js")
    await heading(page, "Members")
    await page.context().close()
  })

  it("a store in memory prints a link that signs in", async () => {
    const server = await startServer([], { TRIBUTARY_STORAGE: "memory" })
    const link = /console\s+(\S+#token=\S+)/.exec(server.output.stdout)?.[1]
    const page = await console.newPage()
    await signIn(page, link!)
    await heading(page, "Personal")
    await page.context().close()
    await server.stop()
  })
})
