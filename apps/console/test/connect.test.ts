// What is pasted elsewhere to use a workspace, and the sign that it works there.
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { ASSISTANTS } from "../src/connect/assistants.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { go, heading, press, pressInDialog, seen } from "./support/steps.ts"

const guide = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8")
const blocks = [...guide.matchAll(/```(json|sh)\n([\s\S]*?)\n```/g)].map(([, language, text]) =>
  language === "json" ? JSON.stringify(JSON.parse(text!)) : text!
)

const normal = (code: string): string => code.startsWith("{") ? JSON.stringify(JSON.parse(code)) : code

describe("The configuration of an assistant", () => {
  const url = "https://knowledge.example.com"
  for (const { id, name, snippets } of ASSISTANTS) {
    // In the guide the key of Cursor is where a project may have it.
    const key = id === "cursor" ? "${env:TRIBUTARY_KEY}" : "pk_live_..."
    it(`is the one in the guide: ${name}`, () => {
      for (const { code } of snippets({ url, key })) {
        assert.isTrue(blocks.includes(normal(code)) || guide.includes(`\`${code}\``), code)
      }
    })
  }
})

describe.skipIf(chromiumPath === null)("Without the Model Context Protocol, the page Connect", () => {
  it("shows programs, and no assistants", async () => {
    const { base, console, page } = await openSignedIn({ TRIBUTARY_MCP: "false" })
    onTestFinished(console.close)
    await page.goto(`${base}/connect?with=cursor`)
    await seen(page, "Assistants cannot connect to this server")
    assert.isTrue(await page.getByRole("radio", { name: "curl", exact: true }).isChecked())
    assert.strictEqual(await page.getByRole("radio", { name: "Cursor", exact: true }).count(), 0)
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.goto(`${base}/sources`)
    await page.getByRole("link", { name: "Folder" }).waitFor()
    assert.strictEqual(await page.getByText("Assistants add documents, too").count(), 0)
    assert.deepStrictEqual(console.problems.take(), [])
  })
})

describe.skipIf(chromiumPath === null)("The page Connect", () => {
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const code = (title: string) => page.getByLabel(title, { exact: true }).textContent()

  it("creates a key for an assistant, fills it in, and reports its first request", async () => {
    await page.goto(base)
    await go(page, "Connect")
    await heading(page, "Connect")
    await page.getByRole("radio", { name: "Cursor", exact: true }).check()
    await seen(page, "Once a key is chosen, this page says when the first request comes with it.")
    assert.include((await code("~/.cursor/mcp.json"))!, "Bearer pk_live_...")
    await press(page, "Create a key for Cursor")
    await pressInDialog(page, "Create key")
    await seen(page, "Waiting for the first request")
    assert.deepStrictEqual(await axeViolations(page), [])
    const file = JSON.parse((await code("~/.cursor/mcp.json"))!) as {
      readonly mcpServers: {
        readonly tributary: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
      }
    }
    const { headers, url } = file.mcpServers.tributary
    assert.strictEqual(url, `${console.url}/mcp`)
    const answer = await fetch(url, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} })
    })
    assert.include(await answer.text(), "\"search\"")
    await seen(page, "It is connected: a request came")
  })

  it("has a deep link that keeps an existing key selected but never shows it", async () => {
    await page.reload()
    await seen(page, "Only a hash of this key is stored")
    assert.isTrue(await page.getByRole("radio", { name: "Cursor", exact: true }).isChecked())
    assert.include((await code("~/.cursor/mcp.json"))!, "Bearer pk_live_...")
    // Until it is revoked.
    await console.operator.keys.revoke(new URL(page.url()).searchParams.get("key")!)
    await page.locator("[data-state=now]").getByRole("heading", { name: "Choose a key" }).waitFor()
    await page.goto(`${base}/connect?with=nothing-like-it`)
    await heading(page, "Connect")
    assert.isTrue(await page.getByRole("radio", { name: "Claude Code", exact: true }).isChecked())
  })

  it("puts keys of programs into the environment, and gives a program's users a token", async () => {
    await page.goto(`${base}/connect?with=python`)
    assert.include((await code("A question"))!, "os.environ[\"KEY\"]")
    await page.getByRole("radio", { name: "Your own users", exact: true }).check()
    await press(page, "Create a key for Your own users")
    await pressInDialog(page, "Create key")
    await seen(page, "Waiting for the first request")
    const key = /export KEY=(\S+)/.exec((await code("The key, in the environment"))!)![1]!
    const { token } = await createClient({ baseUrl: console.url, apiKey: key }).tokens.create({ expires_in: 60 })
    assert.match(token, /^tk_live_/)
    await seen(page, "It is connected: a request came")
  })

  it("explains what an assistant needs that works without a key", async () => {
    await page.goto(`${base}/connect?with=chatgpt`)
    await seen(page, "ChatGPT cannot sign in to this server yet")
    assert.strictEqual(await code("The address"), `${console.url}/mcp`)
    assert.deepStrictEqual(await axeViolations(page), [])
  })
})
