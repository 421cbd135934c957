// The search over everything, by keyboard alone and as a screen reader has it.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { heading, press, seen } from "./support/steps.ts"

describe.skipIf(chromiumPath === null)("The search over everything", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
    const { connector_id } = await client.connectors.create({ name: "Team wiki", source_name: "team-wiki" })
    await client.ingest.text(connector_id, [
      { external_id: "rfc-12", title: "Zeppelin handling", text: "A zeppelin is moored at the mast." },
      { external_id: "rtl", title: "دليل المنطاد", text: "المنطاد مربوط بالصاري." },
      { external_id: "bad", title: "<img src=x onerror=window.hit=1>", text: "Hostile." }
    ])
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const field = () => page.getByRole("combobox", { name: "Search", exact: true })
  const option = (name: string | RegExp) => page.getByRole("option", { name })
  /** What a screen reader says is chosen. */
  const chosen = () =>
    page.evaluate(() => {
      const option = document.getElementById(document.activeElement?.getAttribute("aria-activedescendant") ?? "")
      return { text: option?.textContent ?? null, selected: option?.getAttribute("aria-selected") ?? null }
    })
  const open = async () => {
    await page.keyboard.press("Control+k")
    await field().waitFor()
  }

  it("opens from anywhere by keyboard, and leads to a page, a source, a key or a document", async () => {
    await page.goto(base)
    await heading(page, "Personal")
    for (
      const [words, name, title] of [
        ["audit", "Audit log", "Audit log"],
        ["wiki", "Team wiki", "Team wiki"],
        ["zeppelin", "Zeppelin handling", "Zeppelin handling"],
        ["المنطاد", "دليل المنطاد", "دليل المنطاد"]
      ] as const
    ) {
      await open()
      await page.keyboard.type(words)
      await option(name).first().waitFor()
      assert.include((await chosen()).text!, name)
      await page.keyboard.press("Enter")
      await heading(page, title)
    }
    const [key] = (await console.operator.keys.list(/\/w\/([^/]+)/.exec(page.url())![1]!)).filter(
      ({ revoked_at }) => revoked_at === null
    )
    await open()
    await page.keyboard.type(key!.hint)
    await option(new RegExp(key!.hint)).first().waitFor()
    await page.keyboard.press("Enter")
    await heading(page, "API keys")
    await seen(page, "1 key")
  })

  it("announces the selection, follows the arrow keys around, and returns the focus", async () => {
    await page.goto(base)
    const opener = page.getByRole("button", { name: "Find anything", exact: true })
    await opener.focus()
    await page.keyboard.press("Enter")
    await field().waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    assert.deepStrictEqual(await chosen(), { text: "Overview", selected: "true" })
    await page.keyboard.press("ArrowDown")
    assert.deepStrictEqual(await chosen(), { text: "Playground", selected: "true" })
    // Keys come from the server and are listed last.
    await page.getByRole("option").filter({ hasText: console.key.slice(-4) }).waitFor({ state: "attached" })
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("ArrowUp")
    assert.include((await chosen()).text!, console.key.slice(-4))
    await page.keyboard.type("zeppelin")
    await page.getByRole("status").filter({ hasText: "3 results" }).waitFor({ state: "attached" })
    const groups = await page.getByRole("listbox").getByRole("group").evaluateAll((all) =>
      all.map((group) => group.getAttribute("aria-label"))
    )
    assert.deepStrictEqual(groups, ["Documents", "In the texts"])
    await page.keyboard.press("Escape")
    await field().waitFor({ state: "detached" })
    assert.isTrue(await opener.evaluate((element) => element === document.activeElement))
  })

  it("asks or searches the texts if no name matches", async () => {
    await open()
    await page.keyboard.type("moored at the mast")
    await option("Search the texts for “moored at the mast”").click()
    await heading(page, "Playground")
    await seen(page, "1 shown")
  })

  it("shows hostile names as text", async () => {
    await open()
    await page.keyboard.type("onerror")
    await option("<img src=x onerror=window.hit=1>").waitFor()
    assert.isUndefined(await page.evaluate(() => (globalThis as { readonly hit?: number }).hit))
    await page.keyboard.press("Escape")
  })

  it("opens by a click, and closes by a click outside", async () => {
    await press(page, "Find anything")
    await field().waitFor()
    await page.mouse.click(5, 5)
    await field().waitFor({ state: "detached" })
  })
})
