// Lists are narrowed, kept in the address, and taken away as files.
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { toCsv } from "../src/lists/exporting.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, gone, heading, press, seen, workspaceOf } from "./support/steps.ts"

describe("A CSV file", () => {
  it("quotes special characters, and prevents formulas in spreadsheets", () => {
    assert.strictEqual(
      toCsv([{ name: "a, \"b\"\nc", sum: -1, none: null }, { name: "=HYPERLINK(\"x\")", sum: 2, none: null }]),
      "name,sum,none\r\n\"a, \"\"b\"\"\nc\",-1,\r\n\"'=HYPERLINK(\"\"x\"\")\",2,\r\n"
    )
  })
})

describe.skipIf(chromiumPath === null)("A list", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
    const { connector_id } = await client.connectors.create({ name: "Wiki", source_name: "wiki" })
    await client.ingest.text(connector_id, [
      { external_id: "one", title: "One", text: "The first." },
      { external_id: "two", title: "Two", text: "The second." }
    ])
    await client.documents.delete((await client.documents.getByExternalId(connector_id, "two")).document_id)
    for (const name of ["website", "nightly import"]) {
      await console.operator.keys.create(workspaceOf(page), { name, scopes: ["knowledge:read"] })
    }
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const exported = async (form: "CSV" | "JSON") => {
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, `Export as ${form}`)])
    return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") }
  }
  const rows = () => page.locator(".rows > li")

  it("of keys is filtered by words and state, and exported with its filters", async () => {
    await page.goto(`${base}/keys`)
    await seen(page, "3 keys")
    await fill(page, "Find a key", "website")
    await seen(page, "1 key")
    const { name, text } = await exported("CSV")
    assert.strictEqual(name, "api-keys.csv")
    assert.match(text, /^key_id,name,hint,scopes,.*\r\n[^,]+,website,/)
    assert.strictEqual(text.trim().split("\r\n").length, 2)
    await page.reload()
    await seen(page, "1 key")
    const words = page.getByLabel("Find a key")
    await words.press("Home")
    await page.keyboard.type("my ")
    await seen(page, "No key matches")
    assert.strictEqual(await words.inputValue(), "my website")
    await fill(page, "Find a key", "")
    await page.getByLabel("State").selectOption("ended")
    await seen(page, "No key matches")
    assert.deepStrictEqual(await axeViolations(page), [])
  })

  it("of the audit log names the actors, and is filtered by actor and action, also by a link", async () => {
    await page.goto(`${base}/audit-log?is=api_key&q=website`)
    await seen(page, "api_key.created")
    await gone(page, "session.started")
    assert.strictEqual(await rows().count(), 1)
    const entries = JSON.parse((await exported("JSON")).text) as ReadonlyArray<{ readonly action: string }>
    assert.deepStrictEqual(entries.map(({ action }) => action), ["api_key.created"])
    await fill(page, "Find an entry", "")
    await page.getByLabel("Of what").selectOption("source")
    await rows().filter({ hasText: "connector.created" }).getByText("the key “First start”").waitFor()
    await page.getByLabel("Of what").selectOption("")
    await fill(page, "Find an entry", "nothing like it")
    await seen(page, "No entry matches")
    assert.deepStrictEqual(await axeViolations(page), [])
  })

  it("of events is filtered by type, while new ones arrive", async () => {
    await page.goto(`${base}/events`)
    await seen(page, "Following")
    await page.getByLabel("What happened").selectOption("document.deleted")
    await page.waitForFunction(() => document.querySelectorAll(".rows > li").length === 1)
    const [connector] = await client.connectors.list()
    const { items } = await client.ingest.text(connector!.connector_id, [{ external_id: "three", text: "The third." }])
    await client.documents.delete(items[0]!.document_id!)
    await page.waitForFunction(() => document.querySelectorAll(".rows > li").length === 2)
    const { text } = await exported("CSV")
    assert.strictEqual(text.trim().split("\r\n").length, 3)
    await fill(page, "Find an event", "nothing like it")
    await seen(page, "No event matches")
  })

  it("of people is filtered by name", async () => {
    await page.goto(`${base}/members?q=2026`)
    await heading(page, "Members")
    await seen(page, "Nobody matches")
    await fill(page, "Find somebody", "owner")
    await seen(page, "joined")
    assert.match((await exported("CSV")).text, /^user_id,name,email,role,joined_at\r\n/)
    assert.deepStrictEqual(await axeViolations(page), [])
  })
})
