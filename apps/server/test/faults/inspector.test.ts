/** The MCP inspector's command line, which validates results with the tools' schemas, against the real server. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { tied } from "../../../../packages/sources/test/support/programs.ts"
import { api, main, type RunningServer, startServer } from "../serverProcess.ts"
import { TIMEOUT } from "./support/extent.ts"

const inspector = fileURLToPath(
  new URL("clients/launcher/build/index.js", import.meta.resolve("@modelcontextprotocol/inspector/package.json"))
)

const home = mkdtempSync(join(tmpdir(), "tributary-inspector-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** The inspector's output as JSON; fails if the inspector does. */
const inspect = async (args: ReadonlyArray<string>) => {
  const child = spawn(...tied("KILL", process.execPath, [inspector, "--cli", ...args]), {
    env: { PATH: process.env["PATH"], HOME: home },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  assert.strictEqual(code, 0, `${args.join(" ")}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

describe.each(["http", "stdio"] as const)("The inspector over %s", (transport) => {
  let server: RunningServer
  let use: (...args: ReadonlyArray<string>) => ReturnType<typeof inspect>

  beforeAll(async () => {
    server = await startServer()
    const { key, url } = server
    use = transport === "http"
      ? (...args) => inspect([`${url}/mcp`, "--transport", "http", "--header", `Authorization: Bearer ${key}`, ...args])
      : (...args) => inspect([...args, "-e", `TRIBUTARY_KEY=${key}`, "--", process.execPath, main, "mcp", "--url", url])
    await api(server, "POST", "/v1/custom-connectors", { name: "Wiki", source_name: "wiki" })
  })

  afterAll(() => server.stop())

  const call = async (tool: string, args: Readonly<Record<string, unknown>> = {}) => {
    const pairs = Object.entries(args).flatMap(([name, value]) => [
      "--tool-arg",
      `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`
    ])
    const result = await use("--method", "tools/call", "--tool-name", tool, ...pairs)
    assert.notStrictEqual(result.isError, true, JSON.stringify(result))
    return result.structuredContent
  }

  it("lists tools whose schemas every client understands", { timeout: TIMEOUT }, async () => {
    const { tools } = await use("--method", "tools/list", "--strict")
    assert.deepStrictEqual(
      tools.map(({ name }: { readonly name: string }) => name),
      ["search", "fetch", "ask", "add_documents", "delete_documents", "list_sources"]
    )
  })

  it("calls tools, and validates their answers against their schemas", { timeout: TIMEOUT }, async () => {
    const documents = [{ external_id: "deploys", text: "Deploys run on weekdays before 16:00." }]
    assert.deepInclude(await call("add_documents", { connector: "wiki", documents }), { status: "accepted" })
    const { results: [{ id }] } = await call("search", { query: "deploys", sources: ["custom:wiki"], limit: 3 })
    assert.deepInclude(await call("fetch", { id }), { id, text: documents[0]!.text })
    assert.deepInclude(await call("ask", { query: "When do deploys run?" }), { answered: true })
    const { connectors: [wiki] } = await call("list_sources")
    assert.deepInclude(wiki, { source: "custom:wiki", documents: 1 })
    const uri = `tributary://document/${id}`
    const { contents: [content] } = await use("--method", "resources/read", "--uri", uri)
    assert.deepInclude(content, { uri, text: documents[0]!.text })
    const { resourceTemplates: [template] } = await use("--method", "resources/templates/list")
    assert.strictEqual(template.uriTemplate, "tributary://document/{id}")
    const { prompts: [prompt] } = await use("--method", "prompts/list")
    const filled = ["--method", "prompts/get", "--prompt-name", prompt.name, "--prompt-args", "question=When?"]
    assert.include(JSON.stringify(await use(...filled)), "When?")
    const deletion = { connector: "wiki", external_ids: ["deploys"] }
    assert.deepStrictEqual(await call("delete_documents", deletion), { status: "deleted", external_ids: ["deploys"] })
  })
})
