// The first story without a mouse: from the sign-in to a cited answer, by Tab, Enter, and what one types.
import type { Locator, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { type Console, openConsole } from "./support/console.ts"
import { heading, seen } from "./support/steps.ts"

/** More than any page has to tab through. */
const MAX_STEPS = 100

describe.skipIf(chromiumPath === null)("With the keyboard alone", () => {
  let console: Console
  let page: Page

  beforeAll(async () => {
    console = await openConsole()
    page = await console.newPage()
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const { press, type } = {
    press: (key: string) => page.keyboard.press(key),
    type: (text: string) => page.keyboard.type(text)
  }

  /** Tabs to it; whatever has the focus on the way shows it. */
  const tabTo = async (wanted: Locator) => {
    await wanted.first().waitFor()
    for (let step = 0; step < MAX_STEPS; step++) {
      await press("Tab")
      const { isShown, name } = await page.evaluate(() => {
        const focused = document.activeElement!
        const isShown = focused === document.body || getComputedStyle(focused).outlineStyle !== "none"
        return { isShown, name: focused.outerHTML.slice(0, 200) }
      })
      assert.isTrue(isShown, `the focus is not seen on ${name}`)
      if (await wanted.first().evaluate((element) => element === document.activeElement)) return
    }
    assert.fail("it is not reached by Tab")
  }
  const follow = async (wanted: Locator) => {
    await tabTo(wanted)
    await press("Enter")
  }
  const link = (name: string) => page.getByRole("link", { name, exact: true })
  const button = (name: string) => page.getByRole("button", { name, exact: true })
  const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

  it("a person signs in, creates a connector, uploads a file, asks, and reads the quote", async () => {
    console.problems.foresee(/401/)
    await page.goto(`${console.url}/console/`)
    await heading(page, "Sign in")
    const field = page.getByLabel("Sign-in link")
    await tabTo(field)
    await type("A link from another place")
    await press("Enter")
    await seen(page, "This link does not sign in")
    assert.isTrue(await isFocused(field))
    await press("ControlOrMeta+a")
    await type(await console.signInLink())
    await press("Enter")
    await seen(page, "Nothing is stored yet")

    await follow(button("Create a connector"))
    // The dialog gives the focus to its first field, and keeps it.
    const name = page.getByLabel("Name", { exact: true })
    await name.and(page.locator(":focus")).waitFor()
    await tabTo(name)
    await type("Team handbook")
    await press("Enter")
    await heading(page, "Team handbook")

    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), follow(button("Choose files"))])
    await chooser.setFiles({
      name: "deploys.md",
      mimeType: "text/markdown",
      buffer: Buffer.from("# Deploys\n\nDeploys run on weekdays before 16:00. A release manager approves each one.")
    })
    await seen(page, "1 file: 1 stored")

    await follow(link("Playground"))
    await heading(page, "Playground")
    await tabTo(page.getByLabel("Question"))
    await type("Who approves a release?")
    await press("Enter")
    await follow(page.getByRole("list", { name: "Citations" }).getByRole("link"))
    const title = page.getByRole("heading", { level: 1, name: "Deploys" })
    await title.waitFor()
    assert.isTrue(await isFocused(title))
    await page.locator("mark").filter({ hasText: "A release manager approves each one." }).waitFor()
  })

  it("a person skips the menu, and a dialog returns the focus", async () => {
    await follow(link("Overview"))
    await heading(page, "Personal")
    await page.reload()
    await heading(page, "Personal")
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await follow(link("Skip to the content"))
    assert.isTrue(await isFocused(page.locator("#content")))
    await page.keyboard.press("Shift+Tab")
    await follow(link("API keys"))
    await heading(page, "API keys")
    const opener = button("Create key").first()
    await follow(opener)
    await page.getByRole("dialog").waitFor()
    await press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await opener.and(page.locator(":focus")).waitFor()
  })
})
