// Where documents come from: one page over everything that is pushed and pulled, and the way to the first answer.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, press, pressInDialog, seen, workspaceOf } from "./support/steps.ts"

const MANY = 98

describe.skipIf(chromiumPath === null)("The page Sources", () => {
  const root = mkdtempSync(join(tmpdir(), "tributary-roots-"))
  let console: Console
  let page: Page
  let base: string
  let client: Client

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn({ TRIBUTARY_FILE_ROOTS: root }))
  })
  afterAll(async () => {
    await console?.close()
    rmSync(root, { recursive: true, force: true })
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const row = (name: string) =>
    page.getByRole("list", { name: "Sources" }).getByRole("listitem").filter({
      has: page.getByRole("link", { name, exact: true })
    })

  it("is one drop and one click away from the first cited answer, with only the question typed", async () => {
    await page.goto(`${base}/documents`)
    await seen(page, "Nothing is stored yet")
    const files = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      const text = "# Deploys\n\nDeploys run on weekdays. A release manager approves each one."
      data.items.add(new File([text], "deploys.md", { type: "text/markdown" }))
      const rows = Array.from(
        { length: 40 },
        (_, index) => `| Zeppelin ${index} | the harbour of mast number ${index} |`
      )
      const table = ["# Moorings", "", "| Zeppelin | Place |", "|---|---|", ...rows].join("\n")
      data.items.add(new File([table], "moorings.md", { type: "text/markdown" }))
      return data
    })
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: files })
    await heading(page, "Uploads")
    await seen(page, "2 files: 2 stored")
    await go(page, "Playground")
    await fill(page, "Question", "Who approves a release?")
    await page.keyboard.press("Enter")
    await page.getByRole("list", { name: "Citations" }).getByText("A release manager approves each one.").first()
      .waitFor()
    // Rows are quoted apart from the names of their columns.
    await fill(page, "Question", "Which harbour has Zeppelin 33?")
    await page.keyboard.press("Enter")
    const answer = page.getByRole("list", { name: "Citations" })
    await answer.getByRole("cell", { name: "the harbour of mast number 33" }).waitFor()
    assert.isAtLeast(await answer.getByRole("columnheader", { name: "Place" }).count(), 1)
    assert.strictEqual(await answer.locator(".quote").count(), 0)
  })

  it("is made once for files that are dropped right after others, which are all taken", async () => {
    const { workspaces } = console.operator
    const { account_id } = await workspaces.update(workspaceOf(page), { tier: "free" })
    const { workspace_id } = await workspaces.create({ account_id, name: "Second" })
    await page.goto(`${console.url}/console/w/${workspace_id}`)
    await page.locator(".drop").evaluate((zone) => {
      for (const name of ["one.txt", "two.txt"]) {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([`This is ${name}.`], name, { type: "text/plain" }))
        zone.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }))
      }
    })
    await heading(page, "Uploads")
    await seen(page, "2 files: 2 stored")
    await go(page, "Sources")
    await row("Uploads").getByText("2 documents", { exact: true }).waitFor()
    assert.strictEqual(await page.getByRole("list", { name: "Sources" }).getByRole("listitem").count(), 1)
    await page.goto(base)
  })

  it("shows the size and last change of each source, and links to its documents", async () => {
    const folder = join(root, "handbook")
    mkdirSync(folder)
    for (const name of ["one.md", "two.md"]) writeFileSync(join(folder, name), `# ${name}\n\nA page of the handbook.`)
    await client.connections.create({ provider: "files", name: "Handbook", config: { path: folder } })
    await client.connectors.create({ name: "Board", source_name: "board" })
    await go(page, "Sources")
    await row("Uploads").getByText("2 documents", { exact: true }).waitFor()
    await row("Uploads").getByText("last change").waitFor()
    await row("Board").getByText("nothing came yet").waitFor()
    await row("Handbook").getByText("2 documents").waitFor()
    await row("Handbook").getByText("next sync").waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await row("Handbook").getByRole("link", { name: "2 documents" }).click()
    await heading(page, "Documents")
    await seen(page, "2 documents")
  })

  it("keeps its selection in the address, also from old addresses", async () => {
    await page.goto(`${base}/connections`)
    await row("Handbook").waitFor()
    assert.strictEqual(await row("Board").count(), 0)
    await page.goto(`${base}/connectors`)
    await row("Board").waitFor()
    assert.strictEqual(await row("Handbook").count(), 0)
    await fill(page, "Find a source", "nothing like it")
    await seen(page, "No source matches")
    await fill(page, "Find a source", "BOA")
    await row("Board").waitFor()
    await page.reload()
    await seen(page, "1 source")
  })

  it("shows available providers, and starts a connection with one", async () => {
    await page.goto(`${base}/sources`)
    const catalogue = page.getByRole("region", { name: "What can be connected" })
    await catalogue.getByRole("link", { name: "Mail (IMAP)" }).click()
    await heading(page, "Connect a source")
    assert.isTrue(await page.getByRole("radio", { name: "Mail (IMAP)" }).isChecked())
    await page.goBack()
    await catalogue.getByRole("button", { name: "Connector, for documents that you push" }).click()
    await fill(page, "Name", "Wiki")
    await pressInDialog(page, "Create connector")
    await heading(page, "Wiki")
  })

  it("requests the counts of a hundred sources only as they become visible", async () => {
    for (let index = 0; index < MANY; index++) {
      await client.connectors.create({ name: `Source ${index}`, source_name: `source-${index}` })
    }
    let asked = 0
    page.on("request", (request) => {
      if (request.url().includes("/v1/documents")) asked++
    })
    await page.goto(`${base}/sources`)
    await seen(page, "102 sources")
    await row("Board").getByText("nothing came yet").waitFor()
    assert.isBelow(asked, 40)
    await row("Source 97").scrollIntoViewIfNeeded()
    await row("Source 97").getByText("nothing came yet").waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Create connector")
    await page.keyboard.press("Escape")
  })
})
