// What people fill in: it is taken as they mean it, and nothing of it is lost without a question.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, press, pressInDialog, seen, signIn, workspaceOf } from "./support/steps.ts"

const DAY = 86_400_000

describe.skipIf(chromiumPath === null)("A form", () => {
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Team wiki", source_name: "team-wiki" })
    await client.ingest.text(connector_id, [
      { external_id: "now", title: "Now", text: "It happens now." },
      { external_id: "then", title: "Then", text: "It will happen.", timestamp: new Date(Date.now() + 300 * DAY) }
    ])
    await client.knowledge.waitUntilUpToDate()
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("keeps a number as it was typed", async () => {
    await page.goto(`${base}/knowledge`)
    const days = page.getByLabel("Days", { exact: true }).first()
    await days.click()
    await page.keyboard.press("ControlOrMeta+a")
    await page.keyboard.press("Backspace")
    await page.keyboard.type("90")
    await page.keyboard.press("Tab")
    assert.strictEqual(await days.inputValue(), "90")
    await days.press("ArrowUp")
    assert.strictEqual(await days.inputValue(), "91")
    // Nothing is no number: the last one stays.
    await days.fill("")
    await days.blur()
    assert.strictEqual(await days.inputValue(), "91")
    await days.fill("99999")
    await days.blur()
    assert.strictEqual(await days.inputValue(), "36500")
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Discard")
  })

  it("is as narrow as its dialog, however long the name without a space is", async () => {
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Donau".repeat(40), source_name: "long" })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}/connectors/${connector_id}`)
    await press(page, "Edit")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name", { exact: true }).waitFor()
    assert.isAtMost(await dialog.evaluate(({ clientWidth, scrollWidth }) => scrollWidth - clientWidth), 0)
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it("takes what is typed into the other mode of the playground, and says what is missing", async () => {
    await page.goto(`${base}/playground`)
    await press(page, "Ask")
    const submit = (name: string) => page.locator("form").getByRole("button", { name, exact: true }).click()
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await submit("Ask")
    await seen(page, "Write a question.")
    assert.isTrue(await field("Question").evaluate((element) => element === document.activeElement))
    await fill(page, "Question", "When does it happen?")
    assert.strictEqual(await page.getByText("Write a question.").count(), 0)
    await press(page, "Search")
    assert.strictEqual(await field("Search for").inputValue(), "When does it happen?")
    await fill(page, "Search for", " ")
    await submit("Search")
    await seen(page, "Write what to search for.")
    await fill(page, "Search for", "happen")
    await press(page, "Ask")
    assert.strictEqual(await field("Question").inputValue(), "happen")
  })

  it("of a search shows everything again when its words are removed", async () => {
    await page.goto(`${base}/sources?is=push`)
    await go(page, "Team wiki")
    await fill(page, "Search in these documents", "will")
    await page.keyboard.press("Enter")
    await seen(page, "1 shown")
    // The same words again find what came since.
    const again = page.waitForRequest("**/v1/knowledge/search")
    await page.keyboard.press("Enter")
    await again
    await seen(page, "1 shown")
    await fill(page, "Search in these documents", "")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Now", exact: true }).waitFor()
  })

  it("that deletes a row gives the focus to the row that took its place", async () => {
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Rows", source_name: "rows" })
    await client.ingest.text(connector_id, [1, 2].map((row) => ({ external_id: `row-${row}`, text: `Row ${row}.` })))
    await page.goto(`${base}/connectors/${connector_id}`)
    for (const [name, next] of [["row-2", "row-1"], ["row-1", "Rows"]] as const) {
      await page.getByRole("button", { name: `Delete ${name}`, exact: true }).press("Enter")
      await pressInDialog(page, "Delete document")
      await page.locator(":is(a, h1):focus", { hasText: next }).waitFor()
    }
    // Nor is it lost with what said so.
    const dismiss = page.getByRole("button", { name: "Dismiss" }).last()
    await dismiss.focus()
    await dismiss.press("Enter")
    await page.locator("h1:focus").waitFor()
  })

  it("moves the slider to both ends by keys", async () => {
    await page.goto(`${base}/knowledge`)
    const start = page.getByRole("slider", { name: "Start of the range" })
    await start.focus()
    await page.keyboard.press("Home")
    assert.strictEqual(await start.inputValue(), await start.getAttribute("min"))
    await page.keyboard.press("End")
    assert.strictEqual(await start.inputValue(), await start.getAttribute("max"))
    await seen(page, "The range ends before it starts.")
    await press(page, "Discard")
  })

  it("is English, from left to right, in an Arabic browser, too", async () => {
    const other = await console.newPage({ locale: "ar-EG" })
    const place = await signIn(other, await console.signInLink())
    await other.goto(`${place}/knowledge`)
    assert.strictEqual(await other.getByLabel("Days", { exact: true }).first().inputValue(), "365")
    const left = async (side: string) =>
      (await other.getByRole("slider", { name: `${side} of the range` }).boundingBox())!.x
    assert.isBelow(await left("Start"), await left("End"))
    await other.context().close()
  })

  it("asks the server for a preview when dragging stops", async () => {
    await page.goto(`${base}/knowledge`)
    const handle = page.getByRole("slider", { name: "Start of the range" })
    const box = (await handle.boundingBox())!
    let counted = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/timeline")) counted++
    })
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    const dragged = performance.now()
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 10, { steps: 40 })
    await page.mouse.up()
    await seen(page, /would be in the context/)
    await vi.waitUntil(() => counted > 0, { timeout: 150_000 })
    // A slow browser rests for long enough between two steps.
    assert.isAtMost(counted, 2 + (performance.now() - dragged) / 250)
    await press(page, "Discard")
  })

  it("asks before leaving a page discards input", async () => {
    await page.goto(`${base}/knowledge`)
    await page.getByLabel("Days", { exact: true }).first().press("ArrowUp")
    await page.getByRole("button", { name: "Discard" }).waitFor()
    await go(page, "Sources")
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await pressInDialog(page, "Stay")
    await heading(page, "Knowledge")
    await seen(page, "Discard")
    await go(page, "Sources")
    await pressInDialog(page, "Leave")
    await heading(page, "Sources")
    await go(page, "Knowledge")
    await heading(page, "Knowledge")
    await go(page, "Sources")
    await heading(page, "Sources")

    await page.goto(`${base}/account`)
    await fill(page, "Your name", "Ada")
    await go(page, "Sources")
    await pressInDialog(page, "Leave")
    await heading(page, "Sources")
  })

  it("asks before Escape or the browser's Back discards input in a dialog", async () => {
    await page.goto(base)
    await go(page, "API keys")
    await heading(page, "API keys")
    await press(page, "Create key")
    await fill(page, "Name", "website")
    // Again and again: a browser closes its own dialogs at the third.
    for (let count = 0; count < 3; count++) {
      await page.keyboard.press("Escape")
      await seen(page, "Discard what you have filled in?")
      const name = page.getByLabel("Name", { exact: true })
      assert.strictEqual(await name.inputValue(), "website")
      if (count === 2) break
      await page.keyboard.press("Escape")
      // One types on where one was.
      await name.and(page.locator(":focus")).waitFor()
    }
    assert.deepStrictEqual(await axeViolations(page), [])
    await pressInDialog(page, "Keep editing")
    await page.getByLabel("Name", { exact: true }).and(page.locator(":focus")).waitFor()
    assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "website")
    await page.keyboard.press("Escape")
    await pressInDialog(page, "Discard")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    // What is empty closes at once.
    await press(page, "Create key")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await press(page, "Create key")
    await fill(page, "Name", "website")
    for (const choice of ["Keep editing", "Discard"]) {
      await page.evaluate(() => history.back())
      await seen(page, "Discard what you have filled in?")
      assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "website")
      await pressInDialog(page, choice)
    }
    await heading(page, "Personal")
    assert.strictEqual(await page.getByRole("dialog").count(), 0)
  })

  it("says at the field what is wrong, also when only the server knows, and goes there", async () => {
    console.problems.foresee(/422/)
    await page.goto(`${base}/members`)
    await press(page, "New shared workspace")
    await pressInDialog(page, "Create workspace")
    const name = page.getByRole("dialog").getByLabel("Name", { exact: true })
    await name.and(page.locator(":focus")).waitFor()
    await seen(page, "Give a name.")
    await name.fill("\u0000")
    await page.getByText("Give a name.").waitFor({ state: "detached" })
    await pressInDialog(page, "Create workspace")
    await name.and(page.locator("[aria-invalid=true]:focus")).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.keyboard.press("Escape")
    await pressInDialog(page, "Discard")
  })

  it("of a connector says at its field that a source name is in use, and that a kind is invalid", async () => {
    console.problems.foresee(/422/)
    await page.goto(`${base}/sources`)
    await press(page, "Create connector")
    const field = (label: string) => page.getByRole("dialog").getByLabel(label, { exact: true })
    await field("Name").and(page.locator(":focus")).waitFor()
    await page.keyboard.type("Team wiki")
    await pressInDialog(page, "Create connector")
    await field("Source name").and(page.locator("[aria-invalid=true]:focus")).waitFor()
    await seen(page, "It has been used in this workspace.")
    await field("Source name").fill("other-wiki")
    await field("Accepted kinds").fill("page, no/kind")
    await pressInDialog(page, "Create connector")
    await field("Accepted kinds").and(page.locator("[aria-invalid=true]:focus")).waitFor()
    assert.strictEqual(await field("Source name").getAttribute("aria-invalid"), "false")
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.keyboard.press("Escape")
    await pressInDialog(page, "Discard")
  })

  it("resumes a rotation where it was left", async () => {
    await page.goto(base)
    await go(page, "API keys")
    await press(page, "Create key")
    await fill(page, "Name", "website")
    await pressInDialog(page, "Create key")
    // It is not shown again.
    await page.evaluate(() => history.back())
    await pressInDialog(page, "Stay")
    await pressInDialog(page, "I have copied it")
    const begin = async () => {
      await press(page, "Rotate website")
      await press(page, "Create the new key")
      await press(page, "My programs have it")
      await pressInDialog(page, "Later")
      await page.reload()
    }
    await begin()
    await page.getByRole("button", { name: "Resume rotation of website" }).waitFor()
    // Without its new key, there is nothing to go on with.
    const keys = await console.operator.keys.list(workspaceOf(page))
    const [newest] = keys.toSorted((left, right) => right.created_at.getTime() - left.created_at.getTime())
    await console.operator.keys.revoke(newest!.key_id)
    await page.reload()
    await begin()
    await press(page, "Resume rotation of website")
    await seen(page, "Watching the old key")
    assert.strictEqual(await page.getByRole("dialog").getByText("New key", { exact: true }).count(), 1)
    await press(page, "Go on")
    await press(page, "Revoke the old key")
    await seen(page, "The old key is revoked")
    await press(page, "Done")
    assert.strictEqual(await page.getByRole("button", { name: /^Resume rotation/ }).count(), 0)
  })

  it("for members keeps the last owner of a workspace", async () => {
    await page.goto(`${base}/members`)
    await press(page, "New shared workspace")
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Research")
    await pressInDialog(page, "Create workspace")
    await heading(page, "Research")
    await go(page, "Members")
    const members = page.getByRole("region", { name: "Members" })
    await members.getByText("You", { exact: true }).waitFor()
    assert.strictEqual(await members.getByRole("button", { name: /^(Remove|Make) / }).count(), 0)
  })

  it("announces a future document by its day, and warns about dangerous entries", async () => {
    await page.goto(base)
    await seen(page, /documents up to \w+ \d+, 20\d\d/)
    await go(page, "Sources")
    await go(page, "Team wiki")
    const remove = page.getByRole("button", { name: "Delete Now" })
    const colour = () => remove.evaluate((element) => getComputedStyle(element).color)
    const calm = await colour()
    await remove.hover()
    assert.notStrictEqual(await colour(), calm)
  })
})
