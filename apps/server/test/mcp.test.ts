/** Assistants and the real server: over standard input and output with each transport, and over two nodes. */
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio"
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import {
  type Assistant,
  connect,
  EVERY_REVISION,
  type Line,
  overHttp
} from "../../../packages/http/test/support/assistant.ts"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { tied } from "../../../packages/sources/test/support/programs.ts"
import { api, COMPILE_CACHE, type Environment, main, type RunningServer, serve, startServer } from "./serverProcess.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-mcp-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const TEXT = "Deploys run on weekdays before 16:00. A deploy on Friday needs a reason."

const ADMIN_TOKEN = "operator-token-of-the-tests"

const LINES: ReadonlyArray<Line> = ["v1", "v2"]

/** Whose assistants may only read; the server is the same for both. */
const READERS: ReadonlyArray<Line> = extent(["v2"], LINES)

/** The oldest and the newest revision; the others are tested without processes. */
const REVISIONS = extent([EVERY_REVISION.at(0)!, EVERY_REVISION.at(-1)!], EVERY_REVISION)

const overStdio = async (
  line: Line,
  args: ReadonlyArray<string>,
  env: Environment,
  revision?: string
): Promise<Assistant> => {
  const server = {
    command: process.execPath,
    args: [main, "mcp", ...args],
    env: { PATH: process.env["PATH"]!, ...COMPILE_CACHE, ...env }
  }
  const assistant = line === "v1"
    ? await connect.v1(new StdioV1(server), revision)
    : await connect.v2(new StdioV2(server), revision)
  onTestFinished(() => assistant.close())
  return assistant
}

const connector = (server: RunningServer) =>
  api<{ readonly connector_id: string }>(server, "POST", "/v1/custom-connectors", { name: "Wiki", source_name: "wiki" })

/** Every tool once, on a workspace with an empty connector `wiki`. */
const useAll = async (assistant: Assistant): Promise<void> => {
  assert.deepStrictEqual(
    (await assistant.tools()).map(({ name }) => name),
    ["search", "fetch", "ask", "add_documents", "delete_documents", "list_sources"]
  )
  const documents = [{ external_id: "deploys", title: "Deploys", text: TEXT }]
  const added = await assistant.call("add_documents", { connector: "wiki", documents })
  assert.deepInclude(added.structuredContent, { status: "accepted", external_ids: ["deploys"] })
  const found = await assistant.call("search", { query: "deploys" })
  const [{ id }] = found.structuredContent["results"] as [{ readonly id: string }]
  assert.deepInclude((await assistant.call("fetch", { id })).structuredContent, { id, text: TEXT })
  assert.strictEqual(JSON.stringify(await assistant.read(`tributary://document/${id}`)).includes(TEXT), true)
  const asked = await assistant.call("ask", { query: "When do deploys run?" }, { onprogress: () => {} })
  assert.deepInclude(asked.structuredContent, { answered: true })
  const { structuredContent: { connectors } } = await assistant.call("list_sources")
  assert.deepInclude((connectors as ReadonlyArray<object>)[0], { source: "custom:wiki", documents: 1 })
  const deleted = await assistant.call("delete_documents", { connector: "wiki", external_ids: ["deploys"] })
  assert.deepStrictEqual(deleted.structuredContent, { status: "deleted", external_ids: ["deploys"] })
}

describe("tributary mcp", () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer([], { TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN })
  })
  afterAll(() => server.stop())

  it("serves a running server by its address and a key, in one revision after another", async () => {
    const [, workspace] = /workspace +(\S+)/.exec(server.output.stdout)!
    // Without the rate limits of the free plan.
    await api({ url: server.url, key: ADMIN_TOKEN }, "PATCH", `/admin/v1/workspaces/${workspace}`, { tier: "pro" })
    await connector(server)
    for (const [line, revision] of REVISIONS) {
      const assistant = await overStdio(line, ["--url", server.url], { TRIBUTARY_KEY: server.key }, revision)
      assert.strictEqual(assistant.revision, revision)
      await useAll(assistant)
      await assistant.close()
    }
    for (const line of READERS) {
      const reader = await overStdio(line, ["--url", server.url, "--read-only"], { TRIBUTARY_KEY: server.key })
      assert.notInclude((await reader.tools()).map(({ name }) => name), "add_documents")
    }
  })

  it("serves the embedded store: through its running server, or directly without one", async () => {
    const settings = { TRIBUTARY_STORAGE: "embedded", TRIBUTARY_DATA_DIR: join(root, "data") }
    const server = await serve(settings)
    await connector(server)
    // The protocol's revision does not affect how the store is found.
    await useAll(await overStdio("v2", [], settings))
    assert.strictEqual(await server.stop(), 0)
    await useAll(await overStdio("v2", [], settings))
  })

  it("writes only messages to standard output, survives invalid lines, and ends with its input", async () => {
    const child = spawn(...tied("KILL", process.execPath, [main, "mcp", "--url", server.url]), {
      env: { ...process.env, ...COMPILE_CACHE, TRIBUTARY_KEY: server.key, TRIBUTARY_LOG_LEVEL: "trace" },
      stdio: ["pipe", "pipe", "ignore"]
    })
    const output: Array<string> = []
    child.stdout.setEncoding("utf8").on("data", (text: string) => output.push(text))
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } }
    }
    child.stdin.write(`${JSON.stringify(initialize)}\nnot a message\n{"jsonrpc":"2.0","id":\n`)
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" })}\n`)
    while (!output.join("").includes("\"id\":2")) await once(child.stdout, "data")
    child.stdin.end()
    const [code] = await once(child, "close")
    assert.strictEqual(code, 0)
    const messages = output.join("").trim().split("\n").map((line) => JSON.parse(line) as { readonly id: number })
    assert.includeMembers(messages.map(({ id }) => id), [1, 2])
  })

  it("reports problems on standard error", async () => {
    const child = spawn(process.execPath, [main, "mcp", "--url", "http://127.0.0.1:1"], {
      env: { ...process.env, ...COMPILE_CACHE, TRIBUTARY_KEY: "pk_live_x" },
      stdio: ["pipe", "pipe", "pipe"]
    })
    const [out, err] = [child.stdout, child.stderr].map((stream) => {
      const parts: Array<string> = []
      stream.setEncoding("utf8").on("data", (text: string) => parts.push(text))
      return parts
    })
    const [code] = await once(child, "close")
    assert.deepStrictEqual([code, out!.join("")], [1, ""])
    assert.match(err!.join(""), /^No server answers at http:\/\/127\.0\.0\.1:1/)
  })
})

describe.skipIf(databaseUrl === null)("Two nodes on one Postgres", () => {
  it("are one endpoint to clients of each line, even after a restart", async () => {
    const settings = {
      TRIBUTARY_DATABASE_URL: databaseUrl!,
      TRIBUTARY_DATABASE_SCHEMA: `mcp_${crypto.randomUUID().replaceAll("-", "")}`
    }
    const one = await serve(settings)
    const two = await serve(settings, one.key)
    const { connector_id } = await connector(one)
    const assistants = await Promise.all(
      LINES.map((line) => overHttp(line, one.url, one.key, { afterwards: two.url }))
    )
    assert.strictEqual(await one.stop(), 0)
    for (const [at, assistant] of assistants.entries()) {
      const documents = [{ external_id: LINES[at]!, text: TEXT }]
      await assistant.call("add_documents", { connector: connector_id, documents })
      const found = await assistant.call("search", { query: "deploys" })
      assert.lengthOf(found.structuredContent["results"] as ReadonlyArray<unknown>, at + 1)
      await assistant.close()
    }
  })
})
