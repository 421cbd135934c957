// Everything that is stored: found, sorted, chosen, deleted and cited, however much it is.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { extent } from "../../../.ci/extent.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, press, pressInDialog, seen, signIn, workspaceOf } from "./support/steps.ts"

const MANY = 2_000

const run = promisify(execFile)

describe.skipIf(chromiumPath === null)("The documents of a workspace", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client
  let connector: string

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
    await console.operator.workspaces.update(workspaceOf(page), { tier: "pro" })
    const { connector_id } = await client.connectors.create({ name: "Archive", source_name: "archive" })
    connector = connector_id
    const now = Date.now()
    for (let first = 0; first < MANY; first += 1_000) {
      await client.ingest.text(
        connector_id,
        Array.from({ length: 1_000 }, (_, index) => ({
          external_id: `note-${first + index}`,
          title: `Note ${String(first + index).padStart(4, "0")}`,
          text: `The text of note ${first + index}.`,
          timestamp: new Date(now - (first + index) * 60_000)
        }))
      )
    }
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const rows = () => page.getByRole("table", { name: "Documents" }).getByRole("row")

  it("are all in the list, while only visible rows are rendered", async () => {
    await page.goto(`${base}/documents`)
    await seen(page, "2,000 documents")
    await page.getByRole("link", { name: "Note 0000" }).waitFor()
    assert.isBelow(await rows().count(), 80)
    assert.strictEqual(await page.getByRole("table").getAttribute("aria-rowcount"), "2001")
    assert.deepStrictEqual(await axeViolations(page), [])
    // To the end, as a hand does that holds the key down.
    await page.waitForFunction(
      () => {
        scrollTo(0, document.documentElement.scrollHeight)
        return document.body.textContent?.includes("Note 1999") === true
      },
      undefined,
      { polling: 100 }
    )
    assert.isBelow(await rows().count(), 80)
  })

  it("have their filters on a phone behind a button that counts the active ones", async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}/documents?q=note&source=custom:archive&where=in`)
    await seen(page, "2,000 documents")
    const sorted = page.getByLabel("Sorted by")
    assert.isFalse(await sorted.isVisible())
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Filters (2)")
    await sorted.waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.getByLabel("Where").selectOption("")
    await press(page, "Filters (1)")
    assert.isFalse(await sorted.isVisible())
    await page.setViewportSize({ width: 1280, height: 800 })
    await sorted.waitFor()
    assert.isFalse(await page.getByRole("button", { name: "Filters (1)" }).isVisible())
  })

  it("are found while typing and sorted, and keep both in the address", async () => {
    await page.goto(`${base}/documents`)
    await fill(page, "Find by title or id", "note 199")
    await seen(page, "12 documents")
    await page.getByLabel("Sorted by").selectOption("-size")
    await page.reload()
    await seen(page, "12 documents")
    assert.strictEqual(await page.getByLabel("Sorted by").inputValue(), "-size")
    for (const [order, sort, first] of [["ascending", "title", "0199"], ["descending", "-title", "1999"]] as const) {
      await press(page, "Title")
      await page.waitForURL((url) => url.searchParams.get("sort") === sort)
      await rows().nth(1).getByRole("link", { name: `Note ${first}` }).waitFor()
      const heading = page.getByRole("columnheader", { name: "Title" })
      assert.strictEqual(await heading.getAttribute("aria-sort"), order)
      assert.strictEqual(await page.getByLabel("Sorted by").inputValue(), sort)
    }
    // The outline of a name with the focus is not cut off.
    const room = await page.getByRole("button", { name: "Title", exact: true }).evaluate((button) =>
      button.getBoundingClientRect().left - button.parentElement!.getBoundingClientRect().left
    )
    assert.isAtLeast(room, 4)
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Clear filters")
    await seen(page, "2,000 documents")
    assert.strictEqual(await page.getByLabel("Find by title or id").inputValue(), "")
    await fill(page, "Find by title or id", "nothing like it")
    await seen(page, "No document matches")
  })

  it("warn of a source and a kind in the address that nothing has", async () => {
    await page.goto(`${base}/documents?source=custom:archiv&kind=mail&sort=taste`)
    await seen(page, "No document matches")
    await seen(page, "source: nothing in this workspace matches \"custom:archiv\"")
    await seen(page, "kind: nothing in this workspace matches \"mail\"")
    assert.strictEqual(await page.getByLabel("Source").inputValue(), "custom:archiv")
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Clear filters")
    await seen(page, "2,000 documents")
    assert.strictEqual(await page.locator(".note.warn").count(), 0)
    // Text of any size has room in its row.
    await page.evaluate(() => document.documentElement.style.fontSize = "200%")
    await go(page, "Overview")
    await go(page, "Documents")
    const rows = page.getByRole("row")
    await rows.nth(2).waitFor()
    const [one, next] = await rows.evaluateAll((rows) => rows.slice(1, 3).map((row) => row.getBoundingClientRect()))
    assert.approximately(next!.top, one!.bottom, 1)
    assert.isAbove(one!.height, 100)
    await page.evaluate(() => document.documentElement.style.fontSize = "")
  })

  it("are narrowed by day and by the context, which the address keeps through a document and Back", async () => {
    const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    const old = { external_id: "old", title: "Old", text: "Long ago.", timestamp: new Date(`${day(900)}T12:00:00Z`) }
    await client.ingest.text(connector, [old])
    await page.goto(`${base}/documents`)
    await seen(page, "2,001 documents")
    await page.getByLabel("Where").selectOption("out")
    await page.waitForURL(/[?&]where=out/)
    await seen(page, "1 document")
    await page.getByLabel("From").fill(day(901))
    await page.waitForURL((url) => url.searchParams.get("from")?.includes(day(901)) === true)
    await page.getByLabel("Up to and including").fill(day(900))
    await page.waitForURL((url) => url.searchParams.get("to")?.includes(day(900)) === true)
    await page.getByRole("link", { name: "Old", exact: true }).click()
    await heading(page, "Old")
    await page.goBack()
    for (const look of [() => Promise.resolve(), () => page.reload()]) {
      await look()
      await page.getByRole("link", { name: "Old", exact: true }).waitFor()
      assert.strictEqual(await rows().count(), 2)
      const fields = ["Where", "From", "Up to and including"].map((label) => page.getByLabel(label).inputValue())
      assert.deepStrictEqual(await Promise.all(fields), ["out", day(901), day(900)])
    }
    await page.getByLabel("Up to and including").fill(day(901))
    await seen(page, "No document matches")
    await page.getByLabel("Where").selectOption("in")
    await page.getByLabel("Up to and including").fill("")
    await seen(page, "2,000 documents")
    await client.documents.deleteByExternalId(connector, "old")
  })

  it("are deleted in part or all, once their number is typed", async () => {
    await page.goto(`${base}/documents?q=note-19&sort=title`)
    await seen(page, "111 documents")
    await page.getByRole("checkbox", { name: "Choose Note 0019", exact: true }).check()
    await page.getByRole("checkbox", { name: "Choose Note 0190", exact: true }).check()
    await seen(page, "111 documents, 2 chosen")
    await press(page, "Delete…")
    await fill(page, "Type 2 to confirm", "3")
    await page.keyboard.press("Enter")
    assert.strictEqual(await page.getByRole("dialog").count(), 1)
    await fill(page, "Type 2 to confirm", "2")
    assert.deepStrictEqual(await axeViolations(page), [])
    await pressInDialog(page, "Delete documents")
    await seen(page, "2 documents deleted.")
    await seen(page, "109 documents")

    await page.goto(`${base}/documents`)
    await seen(page, "1,998 documents")
    await press(page, "Choose the 200 shown")
    await press(page, "Choose all 1,998")
    await press(page, "Delete…")
    // Meanwhile one more comes in: nothing is deleted that nobody has counted.
    console.problems.foresee(/409/)
    await client.ingest.text(connector, [{ external_id: "late", title: "Late", text: "It came late." }])
    await fill(page, "Type 1,998 to confirm", "1998")
    await pressInDialog(page, "Delete documents")
    await seen(page, "The filter matches 1999 documents, not the 1998 that were confirmed.")
    await pressInDialog(page, "Cancel")
    // The number that is there now is shown, and has to be typed in its turn.
    await seen(page, "1,999 documents, 1,999 chosen")
    await press(page, "Delete…")
    await fill(page, "Type 1,999 to confirm", "1999")
    await pressInDialog(page, "Delete documents")
    await seen(page, "Nothing is stored yet")
    assert.strictEqual((await client.usage()).entitlements.documents.used, 0)
  })

  it("have their id for a name if their title is blank", async () => {
    await client.ingest.text(connector, [{ external_id: "untitled-7", title: " ", text: "It has no title." }])
    await page.goto(`${base}/documents?q=untitled-7`)
    await page.getByRole("checkbox", { name: "Choose untitled-7" }).waitFor()
    await page.getByRole("link", { name: "untitled-7" }).click()
    await heading(page, "untitled-7")
    // In a tab of its own, nothing is before it.
    const tab = await console.newTab(page)
    await tab.goto(page.url())
    await press(tab, "Back")
    await heading(tab, "Documents")
    await tab.close()
  })

  it("show the time of each version, however many there are", async () => {
    const note = { external_id: "minutes", title: "Minutes", timestamp: new Date("2026-03-04T09:00:00Z") }
    const { items } = await client.ingest.text(connector, [{ ...note, text: "The first version." }])
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    const times = page.getByRole("region", { name: "Times" })
    await times.getByText("Dated by its source").waitFor()
    assert.include((await times.textContent())!, "Mar 4, 2026")
    await times.getByText("It has not changed since.").waitFor()
    await client.ingest.text(connector, [{ ...note, text: "The second version." }])
    await page.reload()
    await times.getByText("This version stored").waitFor()
    await times.getByText("First version stored").waitFor()
    await client.ingest.text(connector, [{ ...note, text: "The third version." }])
    await page.reload()
    await times.getByText("3 versions of the last 90 days").click()
    const versions = times.getByRole("list", { name: "Versions" }).getByRole("listitem")
    assert.strictEqual(await versions.count(), 3)
    assert.match((await versions.first().textContent())!, /^First version/)
    assert.match((await versions.last().textContent())!, /^Changed/)
    assert.deepStrictEqual(await axeViolations(page), [])
    for (let version = 4; version <= 102; version++) {
      await client.ingest.text(connector, [{ ...note, text: `Version ${version}.` }])
    }
    await page.reload()
    await times.getByText("The first 100 versions of the last 90 days").click()
    await press(page, "Show later versions")
    await times.getByText("102 versions of the last 90 days").waitFor()
    assert.strictEqual(await versions.count(), 102)
    assert.strictEqual(await page.getByRole("button", { name: "Show later versions" }).count(), 0)
  })

  it("highlight the search words, also far down in megabytes", async () => {
    const line = "Nothing of interest stands in this line of the long report.\n"
    const filling = `${line.repeat(10)}\n`.repeat(extent(1_640, 8_200))
    const text = `${filling}The zeppelin is moored here.\n\n${filling}And a second zeppelin there.`
    assert.isAbove(text.length, extent(1_900_000, 9_800_000))
    const { items } = await client.ingest.text(connector, [{ external_id: "long", title: "Long report", text }])
    await page.goto(`${base}/documents/${items[0]!.document_id}?find=zeppelin`)
    await heading(page, "Long report")
    await seen(page, "1 of 2")
    await page.locator("mark").filter({ hasText: "zeppelin" }).first().waitFor()
    assert.isTrue(
      await page.locator("mark").first().evaluate((element) => {
        const { bottom, top } = element.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    )
    // The page holds what is in sight.
    assert.isBelow(await page.evaluate(() => document.body.textContent?.length ?? 0), 300_000)
    await press(page, "Next")
    await seen(page, "2 of 2")
    await seen(page, "And a second")
    // Nothing is answered while megabytes wait to be folded in.
    await vi.waitUntil(async () => (await client.knowledge.status()).pending_documents === 0, { timeout: 150_000 })
  })

  it("link an answer to its quote, and show the closest passages if nothing answers", async () => {
    await client.ingest.text(connector, [
      {
        external_id: "deploys",
        title: "Deploys",
        text: "# Deploys\n\nDeploys run on weekdays. A release manager approves each one."
      }
    ])
    await page.goto(`${base}/playground`)
    await fill(page, "Question", "Which manager approves a release?")
    await page.keyboard.press("Enter")
    const statement = page.getByRole("list", { name: "Citations" }).getByRole("listitem").first()
    await statement.getByText("A release manager approves each one.").first().waitFor()
    await statement.getByRole("link", { name: "Deploys" }).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    for (const [form, part] of [["Effect", "yield* TributaryClient"], ["Python", "urllib.request"]] as const) {
      await press(page, form)
      assert.include((await page.locator("pre").last().textContent())!, part)
    }
    for (const form of ["curl", "MCP"]) {
      await press(page, form)
      const code = (await page.locator("pre").last().textContent())!
      const { stdout } = await run("sh", ["-c", code], { env: { ...process.env, KEY: console.key } })
      assert.include(stdout, "A release manager approves each one.", form)
    }
    await statement.getByRole("link", { name: "Deploys" }).click()
    await heading(page, "Deploys")
    await page.locator("mark").filter({ hasText: "A release manager" }).first().waitFor()
    const cited = page.getByRole("region", { name: "Cited in answers" })
    await cited.getByRole("link", { name: "Which manager approves a release?" }).waitFor()
    await cited.getByText("A release manager approves each one.").waitFor()
    await cited.getByRole("link", { name: "Show in the text" }).click()
    await page.locator("mark").filter({ hasText: "A release manager" }).first().waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])

    await page.goto(`${base}/playground`)
    await fill(page, "Question", "Which manager left the company of the deploys?")
    await page.keyboard.press("Enter")
    await seen(page, "No certain answer")
    const related = page.getByRole("region", { name: "Related" })
    await related.getByRole("link", { name: "Deploys" }).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])

    const long = `A freeze of the harbour ${"stops every crane and ferry, and ".repeat(40)}ends with the flood.`
    await client.ingest.text(connector, [{ external_id: "freeze", title: "Freeze", text: long }])
    await fill(page, "Question", "Which admiral wanted the freeze of the harbour?")
    await page.keyboard.press("Enter")
    await related.getByRole("link", { name: "Freeze" }).waitFor()
    assert.strictEqual(await related.getByText("ends with the flood").count(), 0)
    await related.getByRole("button", { name: "Show all" }).click()
    await related.getByText("ends with the flood").waitFor()

    const table = "Fares of the harbour boats:\n\n| Boat | Fare |\n|---|---|\n| Ferry | 20 |\n| Barge | 40 |"
    await client.ingest.text(connector, [{ external_id: "fares", title: "Fares", text: table }])
    await fill(page, "Question", "Which admiral lowered the fare of the barge?")
    await page.keyboard.press("Enter")
    await related.getByRole("cell", { name: "Barge" }).waitFor()
  })

  it("list the questions that were answered from them", async () => {
    const { document_id } = await client.documents.getByExternalId(connector, "deploys")
    const { document_id: other } = await client.documents.getByExternalId(connector, "minutes")
    await client.knowledge.ask({ query: "Which manager approves a release?" })
    // A browser that asked nothing itself.
    const colleague = await console.newPage()
    await signIn(colleague, await console.signInLink())
    await colleague.goto(`${base}/documents/${document_id}`)
    const cited = colleague.getByRole("region", { name: "Cited in answers" })
    await cited.getByText("asked 4 times").waitFor()
    assert.deepStrictEqual(await axeViolations(colleague), [])
    await cited.getByRole("link", { name: "Which manager approves a release?" }).click()
    await heading(colleague, "Playground")
    assert.strictEqual(await colleague.getByLabel("Question").inputValue(), "Which manager approves a release?")
    await colleague.goto(`${base}/documents/${other}`)
    await cited.getByText(/None of the latest \d+ questions is answered from this document/).waitFor()

    // Two pages of questions, of which only the second cites the document.
    await colleague.route("**/v1/knowledge/questions?*", async (route) => {
      const url = new URL(route.request().url())
      const isSecond = url.searchParams.has("cursor")
      url.searchParams.delete("cursor")
      const { questions } = await (await route.fetch({ url: url.href })).json() as { questions: ReadonlyArray<object> }
      const own = isSecond ? questions : questions.map((question) => ({ ...question, documents: [] }))
      await route.fulfill({ json: { questions: own, next_cursor: isSecond ? null : "second" } })
    })
    await colleague.goto(`${base}/documents/${document_id}`)
    await cited.getByText(/None of the latest/).waitFor()
    await cited.getByRole("button", { name: "Look through earlier questions" }).click()
    await cited.getByText("asked 4 times").waitFor()
    assert.strictEqual(await cited.getByRole("button").count(), 0)
    await colleague.context().close()
  })

  it("show the passages that make up the text", async () => {
    const sentences = Array.from({ length: 60 }, (_, index) => `Sentence ${index} of the manual says a little more. `)
    const { items } = await client.ingest.text(connector, [
      { external_id: "manual", title: "Manual", text: sentences.join("") }
    ])
    await page.goto(`${base}/documents/${items[0]!.document_id}?find=manual`)
    await press(page, "Passages")
    await seen(page, /found and quoted by \d+ passages/)
    const passages = page.locator(".numbered .document")
    await passages.first().waitFor()
    const shown = (await passages.allTextContents()).join("")
    assert.isTrue(sentences.join("").startsWith(shown.trimEnd()))
    assert.isAbove(await passages.count(), 3)
    assert.isAbove(await page.locator(".numbered mark").count(), 3)
    assert.deepStrictEqual(await axeViolations(page), [])
  })
})
