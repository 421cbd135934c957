// What a workspace's people do with the console day by day, beyond the first story.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page, Request } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, gone, heading, press, pressInDialog, seen, signIn, workspaceOf } from "./support/steps.ts"

describe.skipIf(chromiumPath === null)("In the console", () => {
  let console: Console
  /** Of the owner of the account. */
  let page: Page
  let base: string
  let client: Client
  let connectorId: string

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
    await console.operator.workspaces.update(workspaceOf(page), { tier: "pro" })
    const { connector_id } = await client.connectors.create({ name: "Team wiki", source_name: "team-wiki" })
    connectorId = connector_id
    const other = await client.connectors.create({ name: "Board", source_name: "board" })
    await client.ingest.text(other.connector_id, [{ title: "Deploys elsewhere", text: "Deploys run at noon." }])
    await client.ingest.text(connector_id, [
      {
        external_id: "rfc-12",
        title: "Deploys",
        text: "Deploys run on weekdays. A release manager approves each one."
      },
      {
        external_id: "rfc-15",
        title: "Incidents",
        text: "Whoever is on call names a lead.",
        metadata: { team: "core" }
      },
      { external_id: "old", title: "Deploys of old", text: "Deploys ran at night.", timestamp: new Date("2019-05-05") }
    ])
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("a connector is edited, deactivated and reactivated", async () => {
    await page.goto(`${base}/connectors/${connectorId}`)
    await press(page, "Edit")
    await fill(page, "Name", "Wiki")
    await fill(page, "Accepted kinds", "custom, page")
    assert.isFalse(await page.getByLabel("Source name").isEditable())
    await pressInDialog(page, "Save")
    await seen(page, "Saved.")
    await heading(page, "Wiki")
    const { accepted_kinds } = await client.connectors.get(connectorId)
    assert.deepStrictEqual(accepted_kinds, ["custom", "page"])

    await press(page, "Deactivate")
    await pressInDialog(page, "Deactivate")
    await seen(page, "This connector takes no documents until it is reactivated.")
    assert.isFalse((await client.connectors.get(connectorId)).is_active)
    await go(page, "Sources")
    await seen(page, "Inactive")
    await go(page, "Wiki")
    await press(page, "Reactivate")
    await seen(page, "Drop files here, or")
    assert.isTrue((await client.connectors.get(connectorId)).is_active)
  })

  it("a connector's documents are searched by words, filters and exact id, and deleted", async () => {
    await page.goto(`${base}/connectors/${connectorId}`)
    const results = page.getByRole("region", { name: "Documents" })
    const search = async (words: string) => {
      await fill(page, "Search in these documents", words)
      await page.keyboard.press("Enter")
    }
    const titles = () => results.locator(".result").getByRole("link").allTextContents()
    await results.getByRole("button", { name: "Delete Incidents" }).waitFor()
    await search("deploys")
    await seen(page, "2 shown")
    assert.sameMembers([...await titles()], ["Deploys", "Deploys of old"])
    await page.getByText("Filters", { exact: true }).click()
    await page.getByLabel("Where").selectOption("out")
    await press(page, "Search")
    await seen(page, "1 shown")
    assert.deepStrictEqual(await titles(), ["Deploys of old"])
    await page.getByLabel("Where").selectOption("")
    await fill(page, "Metadata", "team=core")
    await search("lead")
    await results.getByRole("link", { name: "Incidents" }).waitFor()
    await search("old")
    await seen(page, "With exactly this id")
    await seen(page, "Nothing matches")
    await press(page, "Delete Deploys of old")
    await pressInDialog(page, "Delete document")
    await seen(page, "The document is deleted.")
    await press(page, "Clear")
    await results.getByRole("button", { name: "Delete Deploys", exact: true }).waitFor()
    assert.strictEqual(await results.getByRole("button", { name: "Delete Deploys of old" }).count(), 0)
  })

  it("an upload shows its progress", async () => {
    await page.goto(`${base}/connectors/${connectorId}`)
    await page.locator("input[type=file]").waitFor({ state: "attached" })
    const network = await page.context().newCDPSession(page)
    await network.send("Network.enable")
    const limited = { offline: false, latency: 0, downloadThroughput: -1 }
    await network.send("Network.emulateNetworkConditions", { ...limited, uploadThroughput: 500_000 })
    const text = "Minutes of a long meeting. ".repeat(60_000)
    await page.locator("input[type=file]").setInputFiles({
      name: "minutes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from(text)
    })
    const progress = page.getByRole("progressbar", { name: "Uploads" })
    await page.waitForFunction(() => {
      const now = Number(document.querySelector("[aria-label=Uploads]")?.getAttribute("aria-valuenow"))
      return now > 5 && now < 95
    })
    await network.send("Network.emulateNetworkConditions", { ...limited, uploadThroughput: -1 })
    await seen(page, "1 file: 1 stored")
    await seen(page, "1.6 MB of 1.6 MB")
    assert.strictEqual(await progress.getAttribute("aria-valuenow"), "100")
    const { text: stored } = await client.documents.getByExternalId(connectorId, "minutes.txt")
    assert.strictEqual(stored.trim(), text.trim())
  })

  it("files are dropped onto a connector", async () => {
    await page.goto(`${base}/connectors/${connectorId}`)
    await seen(page, "Drop files here, or")
    const dataTransfer = await page.evaluateHandle(() => {
      const dropped = new DataTransfer()
      for (const name of ["one.txt", "two.txt"]) dropped.items.add(new File([`Dropped as ${name}.`], name))
      return dropped
    })
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer })
    await seen(page, "2 files: 2 stored")
    for (const name of ["one.txt", "two.txt"]) await page.getByRole("link", { name }).waitFor()

    // A folder, by the browser's own drop. Chromium gives no handle of a folder of the system until a dialog is answered.
    await page.evaluate(() =>
      Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: () => Promise.withResolvers().promise })
    )
    const folder = mkdtempSync(join(tmpdir(), "tributary-drop-"))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    mkdirSync(join(folder, "handbook"))
    mkdirSync(join(folder, "handbook/nothing"))
    mkdirSync(join(folder, "handbook/deploys"))
    writeFileSync(join(folder, "handbook/one.txt"), "Dropped in a folder.")
    writeFileSync(join(folder, "handbook/deploys/one.txt"), "Dropped in a folder of a folder.")
    const { height, width, x, y } = (await page.locator(".drop").boundingBox())!
    const devtools = await page.context().newCDPSession(page)
    const drop = async (path: string) => {
      for (const type of ["dragEnter", "dragOver", "drop"] as const) {
        const data = { items: [], files: [join(folder, path)], dragOperationsMask: 1 }
        await devtools.send("Input.dispatchDragEvent", { type, x: x + width / 2, y: y + height / 2, data })
        if (type === "dragOver") await page.locator(".drop[data-over=true]").waitFor()
      }
    }
    await drop("handbook")
    await seen(page, "4 files: 4 stored")
    await drop("handbook/nothing")
    await seen(page, "There are no files in it.")
    await press(page, "Dismiss")
    // A folder that is gone, or that the person may not read.
    await page.evaluate(() => {
      const readEntries = (_: unknown, refuse: (error: Error) => void) =>
        refuse(new DOMException("A requested file could not be read.", "NotReadableError"))
      const webkitGetAsEntry = () => ({ isDirectory: true, createReader: () => ({ readEntries }) })
      Object.assign(DataTransferItem.prototype, { webkitGetAsEntry })
    })
    await drop("handbook")
    await seen(page, "What was dropped cannot be read. A requested file could not be read.")
    await press(page, "Dismiss")
    for (const name of ["handbook/one.txt", "handbook/deploys/one.txt"]) {
      assert.match((await client.documents.getByExternalId(connectorId, name)).text, /^Dropped in a folder/)
    }

    // Beside the zone it does not take the place of the page.
    const isPrevented = await page.evaluate(() => {
      const drop = new DragEvent("drop", { bubbles: true, cancelable: true })
      document.body.dispatchEvent(drop)
      return drop.defaultPrevented
    })
    assert.isTrue(isPrevented)
  })

  it("a job's question is answered in the background, once, and a waiting one is cancelled", async () => {
    let asked = 0
    const count = (request: Request) => void (asked += Number(request.url().endsWith("/v1/knowledge/ask")))
    page.on("request", count)
    await page.goto(`${base}/playground`)
    await fill(page, "Question", "Who approves a release?")
    // A press is not repeated while it is at work.
    await page.getByRole("button", { name: "Ask as a job", exact: true }).evaluate(async (button: HTMLElement) => {
      button.click()
      // As between two presses, the page is rendered.
      await Promise.resolve()
      button.click()
    })
    await heading(page, "Ask jobs")
    page.off("request", count)
    assert.strictEqual(asked, 1)
    await go(page, "Who approves a release?")
    await heading(page, "Who approves a release?")
    const answer = page.getByRole("region", { name: "Answer" })
    await answer.getByRole("list", { name: "Citations" }).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.reload()
    await answer.getByRole("list", { name: "Citations" }).waitFor()
    await go(page, "All jobs")

    // Of many that wait for the few that run at a time, the latest waits longest.
    const waiting = Array.from({ length: 900 }, (_, index) => `Who approves release ${index} of the deploys?`)
    // Fewer at once than one address may have connections.
    for (let from = 0; from < waiting.length; from += 150) {
      await Promise.all(waiting.slice(from, from + 150).map((query) => client.knowledge.askLater({ query })))
    }
    await page.getByLabel("State").selectOption("queued")
    const cancel = page.getByRole("button", { name: /^Cancel/ }).first()
    const name = (await cancel.getAttribute("aria-label"))!
    await page.getByRole("button", { name, exact: true }).click()
    await seen(page, "The job is cancelled.")
    await page.getByLabel("State").selectOption("cancelled")
    await seen(page, name.replace("Cancel ", ""))
  })

  it("new events appear live", async () => {
    await page.goto(`${base}/events`)
    await seen(page, "Following")
    const live = page.getByRole("region", { name: "Live" })
    await live.getByRole("link", { name: "rfc-12" }).waitFor()
    await client.ingest.text(connectorId, [{ external_id: "rfc-99", title: "News", text: "It happened just now." }])
    await live.getByRole("link", { name: "rfc-99" }).waitFor()
    assert.include((await live.locator("li").first().textContent())!, "rfc-99")
    const { document_id } = await client.documents.getByExternalId(connectorId, "rfc-99")
    await client.documents.delete(document_id)
    await live.getByText("Deleted").first().waitFor()
  })

  it("the chosen colours are kept", async () => {
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    await page.emulateMedia({ colorScheme: "light" })
    await page.goto(base)
    await heading(page, "Personal")
    const light = await ground()
    await press(page, "Dark")
    const dark = await ground()
    assert.notStrictEqual(dark, light)
    await page.reload()
    await heading(page, "Personal")
    assert.strictEqual(await ground(), dark)
    assert.strictEqual(await page.getByRole("button", { name: "Dark" }).getAttribute("aria-pressed"), "true")
    await press(page, "System")
    assert.strictEqual(await ground(), light)
  })

  it("a key gets the chosen scopes and expiry", async () => {
    await page.goto(`${base}/keys`)
    await press(page, "Create key")
    await fill(page, "Name", "importer")
    await page.getByRole("radio", { name: "Ingest only" }).check()
    await page.getByText(/^Choose scopes one by one/).click()
    await page.getByRole("checkbox", { name: "runtime:read" }).check()
    await page.getByLabel("Expires").selectOption("30")
    await pressInDialog(page, "Create key")
    await pressInDialog(page, "I have copied it")
    const keys = await console.operator.keys.list(workspaceOf(page))
    const key = keys.find(({ name }) => name === "importer")!
    assert.sameMembers([...key.scopes], ["custom_connectors:ingest", "runtime:read"])
    assert.approximately(key.expires_at!.getTime(), Date.now() + 30 * 86_400_000, 60_000)
    await seen(page, /^Expires/)

    const expires_at = new Date(Date.now() + 47 * 3_600_000)
    await console.operator.keys.create(workspaceOf(page), { name: "Trial", scopes: ["knowledge:read"], expires_at })
    await page.reload()
    await seen(page, "Expires in 1 day")
  })

  it("people are invited, change their role, and are removed", async () => {
    await console.operator.workspaces.update(workspaceOf(page), { limits: { shared_workspaces: 1 } })
    console.problems.foresee(/422/)
    await page.goto(`${base}/members`)
    await seen(page, "0 of 1 shared workspace")
    const late = await console.newTab(page)
    await late.goto(`${base}/members`)
    await press(late, "New shared workspace")
    await press(page, "New shared workspace")
    await page.getByRole("dialog").getByLabel("Name", { exact: true }).fill("Research")
    await pressInDialog(page, "Create workspace")
    await heading(page, "Research")
    await late.getByRole("dialog").getByLabel("Name", { exact: true }).fill("One too many")
    await pressInDialog(late, "Create workspace")
    await late.getByRole("alert").getByText(/allows 1 shared workspace/).waitFor()
    await late.close()
    await go(page, "Members")
    await seen(page, "1 of 1 shared workspace, all that the plan allows")
    assert.isTrue(await page.getByRole("button", { name: "New shared workspace" }).isDisabled())
    await press(page, "Invite someone")
    await fill(page, "E-mail", "grace@example.org")
    await pressInDialog(page, "Invite")
    const link = (await page.getByLabel("The link").textContent())!
    assert.deepStrictEqual(await axeViolations(page), [])
    await pressInDialog(page, "Done")
    await seen(page, "Open invitations")

    const guest = await console.newPage()
    console.problems.foresee(/401/)
    await guest.goto(link)
    await heading(guest, "You are invited")
    await seen(guest, "for grace@example.org")
    assert.deepStrictEqual(await axeViolations(guest), [])
    await press(guest, "Join")
    await heading(guest, "Research")
    assert.strictEqual(await guest.getByRole("link", { name: "API keys" }).count(), 0)
    await go(guest, "Members")
    await heading(guest, "Members")
    await gone(guest, "New shared workspace")
    await page.reload()
    await seen(page, "e-mail not proven")
    await press(page, "Make an owner")
    await seen(page, "is now an owner")
    await guest.reload()
    await guest.getByRole("link", { name: "API keys" }).waitFor()
    // The guest's page polls until it knows.
    console.problems.foresee(/40[134]/)
    await page.getByRole("button", { name: /^Remove grace/i }).click()
    await pressInDialog(page, "Remove")
    await seen(page, "is removed.")
    await guest.reload()
    // A user without a workspace is deleted.
    await heading(guest, "Sign in")
    await guest.context().close()
  })

  it("an invitation is withdrawn, and its link stops working", async () => {
    console.problems.foresee(/40[14]/)
    await go(page, "Members")
    await press(page, "Invite someone")
    await fill(page, "E-mail", "mallory@example.org")
    await pressInDialog(page, "Invite")
    const link = (await page.getByLabel("The link").textContent())!
    await pressInDialog(page, "Done")
    await press(page, "Revoke the invitation of mallory@example.org")
    await seen(page, "The invitation is revoked.")
    await page.getByRole("button", { name: "Revoke the invitation of mallory@example.org" })
      .waitFor({ state: "detached" })
    const stranger = await console.newPage()
    await stranger.goto(link)
    await seen(stranger, "This link does not sign in")
    await stranger.context().close()
  })

  it("sessions are listed, and ended one by one or all together", async () => {
    console.problems.foresee(/401/)
    const other = await console.newPage()
    await other.clock.install()
    await signIn(other, await console.signInLink())
    await go(other, "Your account")
    await other.getByText("begun just now").first().waitFor()
    await other.clock.fastForward("03:00:00")
    await other.getByText("begun 3 hours ago").first().waitFor()
    await go(other, "Overview")
    await page.goto(`${base}/account`)
    await seen(page, "This one")
    const others = page.getByRole("button", { name: "End", exact: true })
    assert.strictEqual(await others.count(), 1)
    await others.click()
    await seen(page, "The session is ended.")
    // It finds out by itself.
    await heading(other, "Sign in")
    await seen(other, "Your session has ended")
    await other.context().close()
    await press(page, "End all")
    await pressInDialog(page, "End all")
    await heading(page, "Sign in")
    await page.goto(base)
    await heading(page, "Sign in")
  })
})
