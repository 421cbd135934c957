// What a page shows is what is stored, also while others change it, and is requested once.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, heading, press, pressInDialog, seen, signIn, workspaceOf } from "./support/steps.ts"

const file = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(`The text of ${name}.`) })

describe.skipIf(chromiumPath === null)("What a page shows", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("of the person and their workspaces is requested once", async () => {
    await seen(page, "0 of 10,000")
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url().replace(/^.*\/(console\/api|v1)\//, "").split("?")[0]!))
    await page.goto(base)
    await seen(page, "0 of 10,000")
    const known = asked.filter((path) => path === "me" || path === "workspaces")
    assert.deepStrictEqual(known.toSorted(), ["me", "workspaces"])
  })

  it("of the timeline agrees with the usage, while programs store documents", async () => {
    await page.goto(base)
    await seen(page, "Nothing is stored yet")
    const context = page.getByRole("region", { name: "Knowledge context" })
    assert.strictEqual(await context.getByRole("status").innerText(), "Not built yet")
    const { connector_id } = await client.connectors.create({ name: "Wiki", source_name: "wiki" })
    await client.ingest.text(connector_id, [{ external_id: "one", title: "One", text: "The first." }])
    await seen(page, "1 of 10,000")
    await seen(page, "1 document in the context")
  })

  it("of a connector has the files that are stored, before all of them are", async () => {
    const { connector_id } = await client.connectors.create({ name: "Files", source_name: "files" })
    await page.goto(`${base}/connectors/${connector_id}`)
    await seen(page, "No documents yet")
    let sent = 0
    await page.route("**/ingest/typed/upload", (route) => ++sent === 1 ? route.continue() : undefined)
    await page.locator("input[type=file]").setInputFiles([file("stored.txt"), file("sent.txt"), file("waiting.txt")])
    await page.getByRole("link", { name: "stored.txt" }).waitFor()
    await press(page, "Stop")
    await press(page, "Clear the list")
    await page.unrouteAll()
  })

  it("of the documents follows, until rows are chosen", async () => {
    await page.goto(`${base}/documents`)
    await seen(page, "2 documents")
    const [wiki] = (await client.connectors.list()).filter(({ name }) => name === "Wiki")
    await client.ingest.text(wiki!.connector_id, [{ external_id: "two", title: "Two", text: "The second." }])
    await page.getByRole("link", { name: "Two" }).waitFor()
    await seen(page, "3 documents")
    await page.getByRole("checkbox", { name: "Choose Two" }).check()
    const again = page.waitForRequest(/v1\/documents/, { timeout: 12_000 }).then(() => true, () => false)
    assert.isFalse(await again)
  })

  it("of the context is announced by its state alone, not with each minute that passes", async () => {
    await page.goto(`${base}/knowledge`)
    const state = page.getByRole("region", { name: "State" })
    await state.getByText("no document waits to be indexed").waitFor()
    assert.strictEqual(await state.getByRole("status").innerText(), "Up to date")
  })

  it("of the range has one end of each of two people who change it at once", async () => {
    await page.goto(`${base}/knowledge`)
    const end = page.getByRole("group", { name: "End" })
    const start = page.getByRole("group", { name: "Start" })
    await end.getByLabel("Days", { exact: true }).fill("10")
    await end.getByLabel("Days", { exact: true }).press("Enter")
    await client.knowledge.updateSettings({
      temporal_settings: { start: { type: "relative", days: 30 }, end: { type: "relative", days: 365 } }
    })
    await start.locator("input[value='30']").waitFor()
    await press(page, "Save range")
    await seen(page, "Saved. The context is being rebuilt.")
    assert.deepStrictEqual((await client.knowledge.settings()).temporal_settings, {
      start: { type: "relative", days: 30 },
      end: { type: "relative", days: 10 }
    })
  })

  it("of a form replaces only what was changed in it", async () => {
    const { connector_id } = await client.connectors.create({ name: "Board", source_name: "board" })
    await page.goto(`${base}/connectors/${connector_id}`)
    await press(page, "Edit")
    await fill(page, "Name", "Notice board")
    await client.connectors.update(connector_id, { accepted_kinds: ["page"] })
    await pressInDialog(page, "Save")
    await heading(page, "Notice board")
    assert.deepStrictEqual((await client.connectors.get(connector_id)).accepted_kinds, ["page"])
  })

  it("of a workspace is gone for a member who is removed from it", async () => {
    // Before Grace has a session, and after her role has ended.
    console.problems.foresee(/401/, /403/)
    await console.operator.workspaces.update(workspaceOf(page), { tier: "pro" })
    const shared: Array<string> = []
    const links: Array<string> = []
    for (const name of ["Mast", "Hangar"]) {
      await page.goto(`${base}/members`)
      await press(page, "New shared workspace")
      await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill(name)
      await pressInDialog(page, "Create workspace")
      await heading(page, name)
      shared.push(page.url().replace(/\/$/, ""))
      await page.goto(`${shared.at(-1)}/members`)
      await press(page, "Invite someone")
      await fill(page, "E-mail", "grace@example.com")
      await pressInDialog(page, "Invite")
      links.push(await page.getByLabel("The link").innerText())
      await press(page, "Done")
    }
    const grace = await console.newPage()
    for (const link of links) {
      await grace.goto(link)
      await press(grace, "Join")
      await grace.waitForURL(/\/w\//)
    }
    await grace.goto(shared[0]!)
    await heading(grace, "Mast")
    await grace.goto(`${shared[0]}/keys`)
    await seen(grace, "Only owners of the workspace see this page")
    await grace.goto(shared[0]!)
    await heading(grace, "Mast")
    await page.goto(`${shared[0]}/members`)
    await press(page, "Remove grace@example.com")
    await pressInDialog(page, "Remove")
    await heading(grace, "You are not in this workspace")
    await grace.context().close()
  })
})

describe.skipIf(chromiumPath === null)("A sign-in", () => {
  it("without any workspace waits for an invitation, and can be ended", async () => {
    const { console, page } = await openSignedIn()
    await page.route(
      "**/console/api/workspaces?*",
      (route) => route.fulfill({ json: { workspaces: [], next_cursor: null } })
    )
    await page.goto(`${console.url}/console/`)
    await heading(page, "You are in no workspace")
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.unrouteAll()
    await press(page, "Sign out")
    await heading(page, "Sign in")
    assert.deepStrictEqual(console.problems.take(), [])
    await console.close()
  })

  it("without an answer is tried again with the same link", async () => {
    const { console, page } = await openSignedIn()
    console.problems.foresee(/ERR_FAILED|Failed to load/)
    const other = await console.newPage()
    const link = await console.signInLink()
    await other.route(
      "**/console/api/sign-in",
      (route) => route.request().method() === "POST" ? route.abort() : route.continue()
    )
    await other.goto(link)
    await seen(other, "The server does not answer.")
    assert.strictEqual(await other.getByText("A link works once").count(), 0)
    await other.unrouteAll()
    await press(other, "Try again")
    await heading(other, "Personal")
    await signIn(page, await console.signInLink())
    assert.deepStrictEqual(console.problems.take(), [])
    await console.close()
  })
})
