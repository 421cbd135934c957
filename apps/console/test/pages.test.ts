// Every page over the data of a team that is at work: complete to everyone, in every light and width. Pictures for the
// guides are made on the way.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { createClient } from "@tributary/client"
import { extent } from "../../../.ci/extent.ts"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openConsole } from "./support/console.ts"
import { startFeedServer } from "./support/feedServer.ts"
import { GAPS, handbookPages, QUESTIONS, sampleItems, sampleTraffic, sampleUsage, spread } from "./support/sample.ts"
import { takeScreenshot } from "./support/screenshots.ts"
import { fill, go, heading, press, pressInDialog, seen, signIn, visit, workspaceOf } from "./support/steps.ts"

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** The least width at which pages are to be read without scrolling sideways (WCAG 1.4.10). */
const SMALL_PHONE = { width: 320, height: 640 }

/** What the dark makes different. */
const COLOURS = { runOnly: ["color-contrast", "link-in-text-block"] }

const LIGHT = ["", "light", {}] as const
const DARK = ["-dark", "dark", COLOURS] as const

/** The large screen in light and the small one in dark show what every other pair is made of. */
const VIEWS = process.env["TRIBUTARY_SCREENSHOTS"] === "1" || extent(false, true)
  ? [["", DESKTOP, [LIGHT, DARK]], ["-phone", PHONE, [LIGHT, DARK]]] as const
  : [["", DESKTOP, [LIGHT]], ["-phone", PHONE, [["-dark", "dark", {}]]]] as const

interface Asked {
  readonly question_id: string
  readonly asked_at: string
}

describe.skipIf(chromiumPath === null)("Every page", () => {
  let console: Console
  let page: Page
  let base: string
  let feed: Awaited<ReturnType<typeof startFeedServer>>
  let connector: string
  let note: string
  let connection: string
  let usedKey: string
  const root = mkdtempSync(join(tmpdir(), "tributary-roots-"))

  beforeAll(async () => {
    feed = await startFeedServer()
    console = await openConsole({ TRIBUTARY_FILE_ROOTS: root, TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "true" })
    page = await console.newPage({ colorScheme: "light" })
    base = await signIn(page, await console.signInLink())
    await furnish()
    await remember()
  })
  afterAll(async () => {
    await console?.close()
    feed.stop()
    rmSync(root, { recursive: true, force: true })
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  /** What a team would have after some weeks. */
  const furnish = async () => {
    const workspace = workspaceOf(page)
    const aMinute = (limit: number) => ({ limit, window_seconds: 60 })
    await console.operator.workspaces.update(workspace, { limits: { ask: aMinute(60), search: aMinute(240) } })
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Team wiki", source_name: "team-wiki" })
    const { items } = await client.ingest.text(connector_id, sampleItems(Date.now()))
    connector = connector_id
    note = items[0]!.document_id!

    const folder = join(root, "handbook")
    mkdirSync(folder)
    for (const [name, text] of handbookPages()) writeFileSync(join(folder, name), text)
    const { connection_id } = await client.connections.create({
      provider: "files",
      name: "Engineering handbook",
      config: { path: folder, ignore: ["drafts/"] }
    })
    connection = connection_id
    feed.state.entries = ["All systems are up.", "Search was slow for twelve minutes.", "Maintenance is over."]
    const login = { url: feed.url, username: "ada", password: "secret" }
    await client.connections.create({ provider: "feed", name: "Status page", config: login })

    const website = await console.operator.keys.create(workspace, { name: "website", scopes: ["knowledge:read"] })
    await console.operator.keys.create(workspace, { name: "nightly import", scopes: ["custom_connectors:ingest"] })
    usedKey = website.key_id
    const reader = createClient({ baseUrl: console.url, apiKey: website.secret })
    for (const query of [...QUESTIONS, ...GAPS]) await reader.knowledge.ask({ query })
    for (const query of QUESTIONS) {
      await client.knowledge.waitForJob((await client.knowledge.askLater({ query })).job_id)
    }
    await client.knowledge.waitUntilUpToDate()
    await visit(page, `${base}/account`)
    await fill(page, "Your name", "Ada Park")
    await press(page, "Save")
    await seen(page, "Saved.")
    await visit(page, `${base}/members`)
    await fill(page, "Name of the workspace", "Northwind")
    await press(page, "Rename")
    await seen(page, "Renamed.")
  }

  /** As it is, in every light and width. */
  const look = async (name: string) => {
    await page.locator(".skeleton").first().waitFor({ state: "detached" })
    for (const [ending, viewport, lights] of VIEWS) {
      await page.setViewportSize(viewport)
      for (const [light, colorScheme, options] of lights) {
        await page.emulateMedia({ colorScheme })
        const about = `${name}${ending}${light}`
        assert.deepStrictEqual(await axeViolations(page, options), [], about)
        await takeScreenshot(page, about)
      }
      const { height, width } = await page.evaluate(() => {
        const { scrollHeight, scrollWidth } = document.documentElement
        const { bottom } = document.querySelector(".page")!.getBoundingClientRect()
        return { width: scrollWidth - innerWidth, height: scrollHeight - Math.max(innerHeight, bottom + scrollY) }
      })
      assert.isAtMost(width, 0, `${name} is wider than a phone`)
      assert.isAtMost(height, 100, `${name} goes on below what it shows`)
    }
    await page.emulateMedia({ colorScheme: "light" })
    for (const viewport of [PHONE, SMALL_PHONE]) {
      await page.setViewportSize(viewport)
      // A drawing takes its width a moment later.
      await vi.waitFor(async () => {
        const overflowing = await page.locator(".card, .choice").evaluateAll((elements) =>
          elements.filter(({ clientWidth, scrollWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent?.slice(0, 40))
        )
        assert.deepStrictEqual(overflowing, [], `${name}, ${viewport.width} pixels wide`)
      }, { timeout: 5_000 })
    }
    await page.setViewportSize(DESKTOP)
  }

  /** What takes weeks to come about. */
  const remember = async () => {
    await page.route("**/v1/usage/history*", (route) => route.fulfill({ json: sampleUsage(Date.now()) }))
    await page.route("**/api-keys/traffic", (route) => route.fulfill({ json: sampleTraffic(usedKey, Date.now()) }))
    await page.route("**/v1/knowledge/questions?*", async (route) => {
      const answer = await (await route.fetch()).json() as { readonly questions: ReadonlyArray<Asked> }
      await route.fulfill({ json: { questions: spread(answer.questions, Date.now()), next_cursor: null } })
    })
  }

  const PAGES = [
    ["overview", "", "documents in the context"],
    ["documents", "/documents", "Choose the 200 shown"],
    ["sources", "/sources", "Status page"],
    ["questions", "/questions", "not answered"],
    ["usage", "/usage", "Requests by day"],
    ["jobs", "/jobs", "answered in the background"],
    ["events", "/events", "Created"],
    ["connect", "/connect", "What is it for?"],
    ["keys", "/keys", "website"],
    ["members", "/members", "joined"],
    ["audit-log", "/audit-log", "api_key.created"],
    ["account", "/account", "This one"]
  ] as const

  for (const [name, path, content] of PAGES) {
    it(`is readable and accessible in light, dark and on a phone: ${name}`, async () => {
      await visit(page, `${base}${path}`)
      await seen(page, content)
      await look(name)
    })
  }

  it("with bars aligns them with their axis", async () => {
    await visit(page, `${base}/usage`)
    await page.locator(".day-bar").first().waitFor()
    const { bottoms, line } = await page.evaluate(() => ({
      line: document.querySelector(".visx-axis-bottom line")!.getBoundingClientRect().bottom,
      bottoms: [...document.querySelectorAll(".day-bar > :first-child")].map((bar) =>
        bar.getBoundingClientRect().bottom
      )
    }))
    assert.strictEqual(bottoms.length, 90)
    for (const bottom of bottoms) assert.approximately(bottom, line, 2)
  })

  it("of an answer, and the document that it quotes", async () => {
    await visit(page, `${base}/playground`)
    await fill(page, "Question", QUESTIONS[0])
    await page.keyboard.press("Enter")
    await page.getByRole("list", { name: "Citations" }).waitFor()
    await seen(page, "extractive")
    await look("answer")
    await page.getByRole("list", { name: "Citations" }).getByRole("link").first().click()
    await page.locator("mark").first().waitFor()
    await look("quote")
  })

  it("of a search", async () => {
    await visit(page, `${base}/playground`)
    await press(page, "Search")
    await fill(page, "Search for", "release manager")
    await page.keyboard.press("Enter")
    await seen(page, /\d+ shown/)
    await look("search")
  })

  it("of one connector, document or connection, and the form of a new connection", async () => {
    await visit(page, `${base}/connectors/${connector}`)
    await page.getByRole("button", { name: /^Delete / }).first().waitFor()
    await look("connector")
    await visit(page, `${base}/documents/${note}`)
    await seen(page, "External id")
    await look("document")
    await visit(page, `${base}/connections/${connection}`)
    await page.getByRole("region", { name: "Syncs" }).getByText("Up to date").waitFor()
    await look("connection")
    await visit(page, `${base}/connections/new`)
    await page.getByRole("radio", { name: "Mail (IMAP)" }).check()
    await fill(page, "Name", "Support mailbox")
    await fill(page, "Server", "imap.northwind.example")
    await look("new-connection")
  })

  it("of a range preview, and its build", async () => {
    await visit(page, `${base}/knowledge`)
    await seen(page, /documents in the context/)
    const start = page.getByRole("slider", { name: "Start of the range" })
    await start.focus()
    for (let press = 0; press < 7; press++) await page.keyboard.press("PageUp")
    await seen(page, /fewer than now/)
    await look("knowledge")
  })

  it("of a key rotation", async () => {
    await visit(page, `${base}/keys`)
    await press(page, "Rotate website")
    await press(page, "Create the new key")
    await press(page, "My programs have it")
    await page.evaluate(() => {
      const { now } = Date
      Date.now = () => now() + 5 * 60_000
    })
    await seen(page, "The old key is quiet")
    await look("rotation")
    await pressInDialog(page, "Later")
  })

  it("can be searched from anywhere", async () => {
    await visit(page, base)
    await seen(page, "Documents in time")
    await page.keyboard.press("Control+k")
    await page.getByRole("combobox", { name: "Search", exact: true }).fill("release")
    await page.getByRole("option", { name: /^Release notes/ }).first().waitFor()
    await look("palette")
    await page.keyboard.press("Escape")
  })

  it("is reached through the menu of a phone", async () => {
    await visit(page, base)
    await page.setViewportSize(PHONE)
    await page.getByRole("button", { name: "Menu" }).click()
    assert.deepStrictEqual(await axeViolations(page), [])
    await go(page, "Events")
    await heading(page, "Events")
  })
})
