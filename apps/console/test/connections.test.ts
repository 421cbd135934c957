// Connections in a browser, from real sources: a folder of the server's machine, and a feed behind a password.
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { startFeedServer } from "./support/feedServer.ts"
import { fill, go, gone, heading, press, pressInDialog, seen, workspaceOf } from "./support/steps.ts"

const FILES = 30
const GONE = 25

/** As a host could offer it beside the server's own. */
const FOREIGN = {
  provider: "forum",
  name: "Forum",
  resources: [],
  sync_config_schema: {},
  config_schema: {
    type: "object",
    properties: {
      login: {
        title: "Sign-in",
        oneOf: [
          {
            type: "object",
            properties: { type: { const: "token" }, token: { type: "string", writeOnly: true } },
            required: ["type", "token"]
          },
          {
            type: "object",
            properties: { type: { const: "account" }, user: { type: "string" } },
            required: ["type", "user"]
          }
        ]
      },
      kinds: { type: "array", items: { enum: ["thread", "post"] } },
      archived: { type: "boolean", title: "Archived, too" },
      proxy: { type: "object", properties: { port: { type: "integer" } } }
    },
    required: ["login"]
  }
}

describe.skipIf(chromiumPath === null)("Connections in the console", () => {
  let console: Console
  let page: Page
  let base: string
  let feed: Awaited<ReturnType<typeof startFeedServer>>
  const root = mkdtempSync(join(tmpdir(), "tributary-roots-"))
  const folder = join(root, "handbook")

  beforeAll(async () => {
    mkdirSync(folder)
    for (let index = 0; index < FILES; index++) {
      writeFileSync(join(folder, `page-${index}.md`), `# Page ${index}\n\nWhat the handbook says about topic${index}.`)
    }
    feed = await startFeedServer()
    ;({ base, console, page } = await openSignedIn({
      TRIBUTARY_FILE_ROOTS: root,
      TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "true"
    }))
  })
  afterAll(async () => {
    await console?.close()
    feed.stop()
    rmSync(root, { recursive: true, force: true })
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const documentsUsed = async () => {
    const { entitlements: { documents } } = await createClient({ baseUrl: console.url, apiKey: console.key }).usage()
    return documents.used
  }
  const untilUsed = (count: number) =>
    vi.waitFor(async () => assert.strictEqual(await documentsUsed(), count), { timeout: 150_000, interval: 200 })
  const sync = () => page.getByRole("region", { name: "Syncs" })
  const connect = async (kind: string) => {
    await page.goto(`${base}/connections/new`)
    await page.getByRole("radio", { name: kind }).check()
  }
  const open = async (name: string) => {
    await page.goto(`${base}/sources`)
    await go(page, name)
    await heading(page, name)
  }

  it("connect a folder with its provider's form, and show the ingested documents", async () => {
    console.problems.foresee(/400/)
    await go(page, "Sources")
    await seen(page, "No source yet")
    await go(page, "Connect a source")
    await page.getByRole("radio", { name: "Folder" }).check()
    assert.deepStrictEqual(await axeViolations(page), [])
    await fill(page, "Name", "Handbook")
    await fill(page, "Folder", "/etc")
    await press(page, "Connect")
    await seen(page, "It is not connected")
    assert.deepStrictEqual(await axeViolations(page), [])
    await fill(page, "Folder", folder)
    await fill(page, "Ignore (optional)", "*.bak\n\n*.tmp")
    await press(page, "Connect")
    await heading(page, "Handbook")
    await sync().getByText("Up to date").waitFor()
    assert.strictEqual(await documentsUsed(), FILES)
    const history = page.getByRole("region", { name: "History" })
    await history.getByText(`${FILES} taken in`).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await fill(page, "Search in these documents", "topic7")
    await page.keyboard.press("Enter")
    const found = page.locator(".result").filter({ has: page.getByRole("link", { name: "Page 7" }) })
    await found.getByText("Handbook", { exact: true }).waitFor()
  })

  it("show each field's error, missing or invalid", async () => {
    console.problems.foresee(/422/)
    await connect("Mail (IMAP)")
    await press(page, "Connect")
    await seen(page, "Give the connection a name.")
    assert.strictEqual(await page.getByText("Fill this in.").count(), 3)
    assert.strictEqual(await page.getByLabel("Password", { exact: true }).getAttribute("type"), "password")
    const security = page.getByLabel("Security (optional)")
    assert.deepStrictEqual(await security.locator("option").allTextContents(), ["Default", "tls", "starttls", "none"])
    await fill(page, "Name", "Post")
    await fill(page, "Server", "127.0.0.1")
    await fill(page, "User name", "ada")
    await fill(page, "Password", "secret")
    await fill(page, "Port (optional)", "70000")
    await press(page, "Connect")
    const port = page.getByLabel("Port (optional)")
    await page.locator("input[aria-invalid=true]").waitFor()
    assert.strictEqual(await port.getAttribute("aria-invalid"), "true")
    assert.strictEqual(await page.getByText("Fill this in.").count(), 0)
  })

  it("have a form for any provider", async () => {
    console.problems.foresee(/422/)
    await page.route("**/v1/providers", async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: [...await response.json() as ReadonlyArray<object>, FOREIGN] })
    })
    await connect("Forum")
    assert.strictEqual(await page.getByLabel("Token", { exact: true }).getAttribute("type"), "password")
    await page.getByLabel("Sign-in").selectOption("Account")
    assert.deepStrictEqual(await axeViolations(page), [])
    await fill(page, "Name", "Forum")
    await fill(page, "User", "ada")
    await page.getByRole("checkbox", { name: "thread" }).check()
    await page.getByRole("checkbox", { name: "Archived, too" }).check()
    await fill(page, "Port (optional)", "8080")
    const sent = page.waitForRequest((request) => request.method() === "POST")
    await press(page, "Connect")
    await seen(page, "This server offers no provider of that name.")
    await page.unroute("**/v1/providers")
    const { config } = (await sent).postDataJSON() as { readonly config: unknown }
    assert.deepStrictEqual(config, {
      login: { type: "account", user: "ada" },
      kinds: ["thread"],
      archived: true,
      proxy: { port: 8080 }
    })
  })

  it("never reveal a secret, even while another field is edited", async () => {
    console.problems.foresee(/400/)
    await connect("Feed")
    await fill(page, "Name", "Airships")
    await fill(page, "Address", feed.url)
    await fill(page, "User name (optional)", "ada")
    await fill(page, "Password (optional)", "wrong")
    await press(page, "Connect")
    await seen(page, "It is not connected")
    await fill(page, "Password (optional)", "secret")
    await press(page, "Connect")
    await heading(page, "Airships")
    await sync().getByText("1 taken in").waitFor()

    await press(page, "Edit")
    assert.strictEqual(await page.getByLabel("Password (optional)").inputValue(), "")
    await fill(page, "Name", "Airships of the world")
    await page.getByLabel("Minutes between two syncs").fill("5")
    // What somebody else changes meanwhile stays.
    const start = { type: "date", date: "1990-01-01" } as const
    await createClient({ baseUrl: console.url, apiKey: console.key })
      .connections.update(page.url().split("/").at(-1)!, { sync_config: { start } })
    // What is not changed is not tried again: a source that hangs is in nobody's way.
    feed.state.hangs = true
    await pressInDialog(page, "Save")
    await heading(page, "Airships of the world")
    feed.state.hangs = false
    await seen(page, "every 5 minutes, from Jan 1, 1990 on")
    const used = await documentsUsed()
    feed.state.entries.push("A second airship was built.")
    await press(page, "Sync now")
    await seen(page, "A sync of everything has started.")
    await untilUsed(used + 1)
    await sync().getByText("2 documents").waitFor()
    await fill(page, "Search in these documents", "second airship")
    await page.keyboard.press("Enter")
    await page.getByRole("link", { name: "Entry 2" }).waitFor()

    // An editor of a connection must not be able to send its password elsewhere.
    await press(page, "Edit")
    await fill(page, "Address", `${feed.url}?elsewhere`)
    await pressInDialog(page, "Save")
    await seen(page, "It was not saved")
    await page.keyboard.press("Escape")
  })

  it("show refused credentials on their page and on the overview until they are corrected", async () => {
    feed.state.password = "changed"
    await open("Airships of the world")
    await press(page, "Sync now")
    await seen(page, "It is not pulled until somebody fixes it")
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.goto(base)
    await seen(page, "“Airships of the world” is not pulled")
    // However many are broken, the overview is in sight.
    console.problems.foresee(/404/)
    const list = "**/v1/connections"
    await page.route(list, async (route) => {
      const [one] = (await (await route.fetch()).json() as ReadonlyArray<object>).filter((connection) =>
        Reflect.get(connection, "status") === "error"
      )
      const ids = Array.from({ length: 40 }, (_, index) => ({ ...one, connection_id: `one-${index}` }))
      await route.fulfill({ json: ids })
    })
    await page.reload()
    await go(page, "37 more connections not pulled")
    await seen(page, "40 sources")
    await page.unroute(list)
    await page.reload()
    await seen(page, "1 source")
    await go(page, "Airships of the world")
    await press(page, "Edit")
    await fill(page, "Password (optional)", "changed")
    await pressInDialog(page, "Save")
    await gone(page, "It is not pulled until somebody fixes it")
    await sync().getByText("Up to date").waitFor()
    await page.goto(`${base}/sources?is=attention`)
    await seen(page, "Nothing needs attention")
  })

  it("show a running sync, and cancel it", async () => {
    feed.state.hangs = true
    await open("Airships of the world")
    await press(page, "Sync now")
    await sync().getByText("Syncing").waitFor()
    await sync().getByRole("progressbar", { name: "Progress of feed" }).waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Cancel the sync of feed")
    await sync().getByText("Cancelled").waitFor()
    feed.state.hangs = false
  })

  it("show a failing source until it answers again", async () => {
    feed.state.fails = true
    await open("Airships of the world")
    await press(page, "Sync now")
    await sync().getByText("Failed").waitFor()
    await sync().getByText("503").waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    feed.state.fails = false
    await press(page, "Sync now")
    await sync().getByText("Up to date").waitFor()
    assert.strictEqual(await sync().getByText("503").count(), 0)
    const history = page.getByRole("region", { name: "History" })
    await history.getByRole("listitem").filter({ hasText: "Failed" }).getByText("503").first().waitFor()
    await history.getByText("next attempt").first().waitFor()
  })

  it("list skipped items with reasons, and ingest them later when there is room", async () => {
    const workspace = workspaceOf(page)
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const room = 1
    const used = await documentsUsed()
    await console.operator.workspaces.update(workspace, { limits: { documents: used + room } })
    const notes = join(root, "notes")
    mkdirSync(notes)
    for (let index = 0; index < 3; index++) writeFileSync(join(notes, `note-${index}.md`), `Zinnia number ${index}.`)
    writeFileSync(join(notes, "film.mp4"), "")
    truncateSync(join(notes, "film.mp4"), 1_000_000_000)
    const { connection_id } = await client.connections.create({
      provider: "files",
      name: "Garden notes",
      config: { path: notes }
    })

    await open("Garden notes")
    await sync().getByText("3 items left out").click()
    // A folder is watched, so another sync without documents may have started.
    assert.strictEqual(await documentsUsed(), used + room)
    const leftOut = sync().getByRole("group").getByRole("listitem")
    await vi.waitFor(async () => {
      assert.strictEqual(await leftOut.filter({ hasText: "the plan's cap on documents is reached" }).count(), 2)
      assert.strictEqual(await leftOut.filter({ hasText: /film\.mp4: The file is larger than/ }).count(), 1)
    }, { timeout: 150_000, interval: 200 })
    assert.deepStrictEqual(await axeViolations(page), [])

    await console.operator.workspaces.update(workspace, { limits: { documents: null } })
    await press(page, "Sync now")
    await sync().getByText("1 item left out").waitFor()
    const earlier = page.getByRole("region", { name: "History" }).getByRole("listitem")
      .filter({ hasText: "3 items left out" }).first()
    await earlier.getByText("film.mp4").waitFor({ state: "attached" })
    // The page that looks after it finds it gone.
    console.problems.foresee(/404/)
    await client.connections.delete(connection_id, { delete_documents: true })
    await untilUsed(used)
    await page.goto(`${base}/sources`)
  })

  it("hold many deletions until they are confirmed", async () => {
    const used = await documentsUsed()
    for (let index = 0; index < GONE; index++) rmSync(join(folder, `page-${index}.md`))
    await open("Handbook")
    await press(page, "Sync now")
    await seen(page, `${GONE} documents gone at the source`)
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.goto(base)
    await seen(page, `${GONE} deletions of “Handbook” to confirm`)
    assert.deepStrictEqual(await axeViolations(page), [])
    await go(page, "Sources")
    await seen(page, `${GONE} deletions to confirm`)
    await go(page, "Handbook")
    await press(page, "Delete them here, too")
    await seen(page, `Delete ${GONE} documents?`)
    await pressInDialog(page, "Delete")
    await gone(page, `${GONE} documents gone at the source`)
    await untilUsed(used - GONE)
    await fill(page, "Search in these documents", "topic7")
    await page.keyboard.press("Enter")
    await seen(page, "Nothing matches")
  })

  it("are paused and resumed", async () => {
    await open("Handbook")
    await press(page, "Pause")
    await seen(page, "Nothing is pulled while it is paused.")
    await press(page, "Resume")
    await gone(page, "Nothing is pulled while it is paused.")
    await page.getByRole("button", { name: "Sync now" }).waitFor()
  })

  it("are deleted, with their documents or without", async () => {
    const stored = async (words: string) => {
      await page.goto(`${base}/playground`)
      await press(page, "Search")
      await fill(page, "Search for", words)
      await page.keyboard.press("Enter")
      await page.getByRole("region", { name: "Results" }).getByText(/shown$|^Nothing found/).waitFor()
      return page.locator(".result").count()
    }
    // A page that polls every two seconds may poll again.
    console.problems.foresee(/404/)
    await open("Handbook")
    await press(page, "Delete")
    assert.isTrue(await page.getByRole("radio", { name: "Keep its documents" }).isChecked())
    await pressInDialog(page, "Delete connection")
    await seen(page, "“Handbook” is deleted. Its documents stay.")
    assert.strictEqual(await stored("handbook"), FILES - GONE)
    assert.strictEqual(await stored("airship"), 1)
    await open("Airships of the world")
    await press(page, "Delete")
    await page.getByRole("radio", { name: "Delete its documents, too" }).check()
    await pressInDialog(page, "Delete connection")
    await seen(page, "No source yet")
    assert.strictEqual(await stored("airship"), 0)
  })
})
