// The text of a document: shown as what it is, whatever it is, with the matches of a search.
import type { Locator, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, heading, press, seen, visit } from "./support/steps.ts"

const HOSTILE = `# A <script>window.hit=1</script> title

<img src=x onerror="window.hit=1"> and [a link](javascript:window.hit=1) and ![a picture](https://example.org/x.png)

| Name | Value |
| ---- | ----- |
| one  | **1** |

\`\`\`html
<b onclick="window.hit=1">code</b>
A line of code ${"is longer than the page is wide, and ".repeat(9)}ends.
\`\`\`

- [x] tested
- [ ] approved

שלום עולם, this is right to left.`

describe.skipIf(chromiumPath === null)("The texts of documents", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client
  let connector: string

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
    const { connector_id } = await client.connectors.create({ name: "Archive", source_name: "archive" })
    connector = connector_id
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("are rendered as Markdown, with hostile markup as text, in the direction of their script", async () => {
    const { items } = await client.ingest.text(connector, [{
      external_id: "hostile.md",
      title: "Hostile",
      text: HOSTILE
    }])
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    await heading(page, "Hostile")
    const text = page.getByRole("region", { name: "Text" })
    await text.getByRole("table").getByRole("cell", { name: "one" }).waitFor()
    await text.locator("pre").getByText("<b onclick=\"window.hit=1\">code</b>").waitFor()
    assert.strictEqual(await text.getByRole("link", { name: "a link" }).count(), 0)
    assert.strictEqual(await text.locator("img, script, b[onclick]").count(), 0)
    // The text within a tag is read, too.
    await text.getByText("<img src=x onerror=\"window.hit=1\"> and a link").waitFor()
    await text.getByText("A <script>window.hit=1</script> title").waitFor()
    assert.strictEqual(await text.getByRole("link", { name: "a picture" }).getAttribute("rel"), "noreferrer noopener")
    await text.getByRole("checkbox", { name: "Not done" }).waitFor()
    assert.isUndefined(await page.evaluate(() => (globalThis as { readonly hit?: number }).hit))
    // Where a paragraph ends at the right edge, it begins there.
    const sides = (part: Locator) =>
      part.evaluate((element) => {
        const range = document.createRange()
        range.selectNodeContents(element)
        const [box, own] = [element.getBoundingClientRect(), range.getBoundingClientRect()]
        return { left: Math.round(own.left - box.left), right: Math.round(box.right - own.right) }
      })
    const hebrew = await sides(text.getByText("שלום עולם"))
    assert.strictEqual(hebrew.right, 0)
    assert.isAbove(hebrew.left, 50)
    assert.strictEqual((await sides(text.getByText("A <script>window.hit=1</script> title"))).left, 0)
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "As stored")
    await seen(page, "| ---- | ----- |")
  })

  it("have tables that are as wide as the card, beside lines that are not", async () => {
    const row = (cell: string) => `| ${`${cell} | `.repeat(30)}\n`
    const words = "Words fill a line until its end. "
    const { items } = await client.ingest.text(connector, [
      {
        external_id: "wide.md",
        title: "Wide",
        text: `${row("Column")}${row("---")}${row("value")}\n${words.repeat(20)}`
      }
    ])
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    const text = page.getByRole("region", { name: "Text" })
    const width = async (part: Locator) => (await part.boundingBox())!.width
    const [table, line] = [await width(text.getByRole("table")), await width(text.getByText(words))]
    assert.isAbove(table, line + 100)
    assert.isBelow(table, await width(text))
  })

  it("keep the columns of a quoted table and the distances of a quoted list", async () => {
    const text = "| Region | Revenue |\n| --- | --- |\n| The far north | 4,200 EUR |\n\n- one\n- two\n\n  and more\n"
    const { items } = await client.ingest.text(connector, [{ external_id: "regions.md", title: "Regions", text }])
    const path = `${base}/documents/${items[0]!.document_id}`
    const layout = async () => {
      await page.getByRole("columnheader", { name: "Region" }).waitFor()
      return await page.getByRole("region", { name: "Text" }).evaluate((text) => {
        const boxes = (parts: string) => [...text.querySelectorAll(parts)].map((part) => part.getBoundingClientRect())
        const columns = (parts: string) => boxes(parts).map(({ x }) => x)
        return {
          heights: boxes("table, li").map(({ height }) => Math.round(height)),
          aligned: columns("th").join() === columns("td").join()
        }
      })
    }
    await page.goto(path)
    const plain = await layout()
    await page.goto(`${path}?start=0&end=${text.length}`)
    await page.locator("mark").first().waitFor()
    assert.deepStrictEqual(await layout(), plain)
  })

  it("have code from left to right in a text from right to left, and headings near their paragraphs", async () => {
    const text = "# שלום עולם\n\nזה הקוד של הדלת.\n\n## הקוד\n\n```sh\nopen --door\n```\n"
    const { items } = await client.ingest.text(connector, [{ external_id: "door.md", title: "Door", text }])
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    const code = page.getByRole("region", { name: "Text" }).locator("pre")
    const [block, line] = [(await code.boundingBox())!, (await code.locator("code").boundingBox())!]
    assert.isBelow(line.x - block.x, 40)
    const heading = page.getByRole("heading", { name: "הקוד" })
    const box = (await heading.boundingBox())!
    assert.isBelow(block.y - box.y - box.height, 20)
  })

  it("that are deleted are said to be, and not offered again", async () => {
    console.problems.foresee(/404/)
    await page.goto(`${base}/documents/01a2290a-b5be-7472-9eb5-563ca9d4be6a`)
    await seen(page, "The document cannot be shown")
    assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0)
  })

  it("are asked about and found in the direction of their script", async () => {
    await page.goto(`${base}/playground`)
    await fill(page, "Question", "מהו קוד הדלת?")
    const question = page.getByLabel("Question", { exact: true })
    assert.strictEqual(await question.evaluate((field) => getComputedStyle(field).unicodeBidi), "plaintext")
    await client.ingest.text(connector, [{ title: "Door", text: "קוד הדלת הוא 4711." }])
    await page.goto(`${base}/playground?mode=search&q=${encodeURIComponent("הדלת")}`)
    const snippet = page.getByRole("paragraph").filter({ hasText: "4711" })
    assert.strictEqual(await snippet.evaluate((element) => getComputedStyle(element).direction), "rtl")
  })

  it("are read as source code or as Markdown by the names of their files", async () => {
    const { items } = await client.ingest.text(connector, [
      { external_id: "pump.py", title: "Pump", text: "# Opens the valve\n\ndef open():\n    pass\n" },
      { external_id: "upload-1", title: "Notes", text: "Two\nlines", metadata: { path: "notes.md" } }
    ])
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    const text = page.getByRole("region", { name: "Text" })
    const code = text.getByText("# Opens the valve")
    await code.waitFor()
    assert.strictEqual(await code.textContent(), "# Opens the valve\n\ndef open():\n    pass\n")
    assert.match(await code.evaluate((element) => getComputedStyle(element).fontFamily), /monospace$/)
    assert.strictEqual(await text.getByRole("button", { name: "Rendered" }).count(), 0)
    await page.goto(`${base}/documents/${items[1]!.document_id}`)
    await text.getByRole("button", { name: "Rendered", pressed: true }).waitFor()
  })

  it("scroll to each match of a search, also to those that are near each other, which looks different", async () => {
    const current = (text: RegExp) => page.locator("mark[aria-current]", { hasText: text })
    const filling = "A line about nothing at all.\n".repeat(80)
    for (const [name, tag] of [["log.txt", ""], ["log.md", ""], ["tags.md", "<p>"]] as const) {
      const text = `${tag}The airship and an airstrip.\n\n${filling}\nAll airships leave.`
      const { items } = await client.ingest.text(connector, [{ external_id: name, title: name, text }])
      await page.goto(`${base}/documents/${items[0]!.document_id}?find=airship airstrip`)
      await seen(page, "1 of 3")
      await current(/^airship$/).waitFor()
      const looks = await page.locator("mark").evaluateAll((marks) =>
        marks.map((one) => getComputedStyle(one).background)
      )
      assert.notStrictEqual(looks[0], looks[1])
      assert.deepStrictEqual(await axeViolations(page), [])
      await press(page, "Next")
      await current(/^airstrip$/).waitFor()
      await press(page, "Next")
      await current(/^airships$/).waitFor()
      assert.strictEqual(await page.locator("mark[aria-current]").count(), 1)
      await vi.waitUntil(() =>
        current(/^airships$/).evaluate((element) => {
          const { bottom, top } = element.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }), { timeout: 20_000 })
      await visit(page, `${page.url().split("?")[0]}?find=about`)
      await seen(page, "1 of 80")
    }
  })

  it("show the structure and the lines of a page", async () => {
    const { items } = await client.ingest.text(connector, [{
      external_id: "pump.html",
      content_type: "text/html",
      text: "<title>Pump</title><h2>Valves</h2><dl><dt>V-17<dd>closes</dl><ol><li>Open it<li>Close it</ol>"
    }])
    await page.goto(`${base}/documents/${items[0]!.document_id}`)
    const text = page.getByRole("region", { name: "Text" })
    await text.getByRole("heading", { name: "Valves" }).waitFor()
    assert.strictEqual(await text.getByRole("listitem").count(), 2)
    assert.strictEqual(await text.getByText("V-17").innerText(), "V-17\ncloses")
  })
})
