// What people fill in: it is taken as they mean it, and nothing of it is lost without a question.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { seriousViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, press, pressInDialog, seen } from "./support/steps.ts"

const DAY = 86_400_000

describe.skipIf(chromiumPath === null)("What is filled in", () => {
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

  it("as a number is the number that was typed", async () => {
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
    assert.deepStrictEqual(await seriousViolations(page), [])
    await press(page, "Discard")
  })

  it("on the slider by keys reaches the ends of the picture", async () => {
    await page.goto(`${base}/knowledge`)
    const start = page.getByRole("slider", { name: "Start of the range" })
    const value = async (name: string) => Number(await start.getAttribute(`aria-value${name}`))
    await start.focus()
    await page.keyboard.press("Home")
    assert.strictEqual(await value("now"), await value("min"))
    await page.keyboard.press("End")
    assert.strictEqual(await value("now"), await value("max") - 1)
    await seen(page, "The range ends before it starts.")
    await press(page, "Discard")
  })

  it("by dragging the range asks the server when the hand rests", async () => {
    await page.goto(`${base}/knowledge`)
    const handle = page.getByRole("slider", { name: "Start of the range" })
    const box = (await handle.boundingBox())!
    let counted = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/timeline")) counted++
    })
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 200, box.y + 10, { steps: 40 })
    await page.mouse.up()
    await seen(page, /would be in the context/)
    await vi.waitUntil(() => counted > 0, { timeout: 30_000 })
    assert.isAtMost(counted, 4)
    await press(page, "Discard")
  })

  it("on a page is not lost by leaving it without a question", async () => {
    await page.goto(`${base}/knowledge`)
    await page.getByLabel("Days", { exact: true }).first().press("ArrowUp")
    await page.getByRole("button", { name: "Discard" }).waitFor()
    await go(page, "Sources")
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor()
    assert.deepStrictEqual(await seriousViolations(page), [])
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
  })

  it("in a dialog is not lost to Escape", async () => {
    await page.goto(`${base}/keys`)
    await press(page, "Create key")
    await fill(page, "Name", "website")
    await page.keyboard.press("Escape")
    await seen(page, "Discard what you have filled in?")
    assert.deepStrictEqual(await seriousViolations(page), [])
    await pressInDialog(page, "Keep editing")
    assert.strictEqual(await page.getByLabel("Name", { exact: true }).inputValue(), "website")
    await page.keyboard.press("Escape")
    await pressInDialog(page, "Discard")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    // What is empty closes at once.
    await press(page, "Create key")
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
  })

  it("for a rotation is resumed where it was left", async () => {
    await page.goto(`${base}/keys`)
    await press(page, "Create key")
    await fill(page, "Name", "website")
    await pressInDialog(page, "Create key")
    await pressInDialog(page, "I have copied it")
    await press(page, "Rotate website")
    await press(page, "Create the new key")
    await press(page, "My programs have it")
    await pressInDialog(page, "Later")
    await page.reload()
    await press(page, "Resume rotation of website")
    await seen(page, "Watching the old key")
    assert.strictEqual(await page.getByRole("dialog").getByText("New key", { exact: true }).count(), 1)
    await press(page, "Go on")
    await press(page, "Revoke the old key")
    await seen(page, "The old key is revoked")
    await press(page, "Done")
    assert.strictEqual(await page.getByRole("button", { name: /^Resume rotation/ }).count(), 0)
  })

  it("about members leaves a workspace its last owner", async () => {
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

  it("tells of a document to come by its day, and shows danger where one points", async () => {
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
