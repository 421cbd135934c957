// Signing in through an organisation's identity provider, in a browser and against a provider that runs.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { startIdentityProvider } from "../../server/test/identityProvider.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openConsole } from "./support/console.ts"
import { go, heading, press, seen, signIn } from "./support/steps.ts"

const people = {
  ada: { email: "ada@example.com", email_verified: true, name: "Ada" },
  max: { email: "max@example.com", email_verified: true, name: "Max" }
}

describe.skipIf(chromiumPath === null)("An identity provider", () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    provider = await startIdentityProvider(people)
    console = await openConsole(provider.settings)
    provider.open([console.url])
    const link = await console.operator.signInLinks.create({ email: people.ada.email })
    const other = await console.newPage()
    base = await signIn(other, link.url)
    await other.context().close()
    page = await console.newPage()
  })
  afterAll(async () => {
    await console?.close()
    provider.close()
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const viaProvider = (page: Page) => page.getByRole("link", { name: "Continue with your organisation" }).click()

  it("signs a person in, and continues with the requested page", async () => {
    console.problems.foresee(/401/)
    await page.goto(`${base}/events?q=mail`)
    await heading(page, "Sign in")
    assert.deepStrictEqual(await axeViolations(page), [])
    await viaProvider(page)
    await heading(page, "Events")
    assert.strictEqual(page.url(), `${base}/events?q=mail`)
    await page.getByRole("button", { name: "Sign out" }).waitFor()
  })

  it("is asked again after signing out, and leads to the overview", async () => {
    console.problems.foresee(/401/)
    // Something that the page asks for is refused before it hears that the session has ended.
    await page.route("**/console/api/sign-out", async (route) => {
      const response = await route.fetch()
      const refused = page.waitForResponse((other) => other.status() === 401)
      // A page that becomes visible again requests what is new.
      const back = setInterval(() => void page.evaluate(() => dispatchEvent(new Event("visibilitychange"))), 200)
      await refused
      clearInterval(back)
      await route.fulfill({ response })
    })
    await press(page, "Sign out")
    await heading(page, "Sign in")
    await page.unroute("**/console/api/sign-out")
    await viaProvider(page)
    await heading(page, "Personal")
    await go(page, "Your account")
    await heading(page, "Your account")
    await press(page, "Sign out")
    await heading(page, "Sign in")
  })

  it("refuses a person without an invitation", async () => {
    provider.state.person = "max"
    const stranger = await console.newPage()
    await stranger.goto(`${console.url}/console/sign-in`)
    await viaProvider(stranger)
    await seen(stranger, "nobody here does yet")
    assert.strictEqual(new URL(stranger.url()).hash, "")
    assert.deepStrictEqual(await axeViolations(stranger), [])
    await stranger.context().close()
  })
})
