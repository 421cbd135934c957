// The guides show real output: every command, the answers of docs/http.md, and its program.
import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { api, type RunningServer, startServer } from "./serverProcess.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8")

const ADMIN_TOKEN = "an-operator-token-for-the-guides"

/** Ids and times differ each time; everything else must equal the guide. */
const settled = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "string"
      ? inner.replace(/^[0-9a-f]{8}-[0-9a-f-]{27}$/, "an id").replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, "a time")
      : inner))

describe("The guides", () => {
  let server: RunningServer
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "guides-"))
    server = await startServer([], { TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN })
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  const run = async (variables: Readonly<Record<string, string>>, command: string, ...args: ReadonlyArray<string>) => {
    const { key, url } = server
    const env = { ...process.env, URL: url, KEY: key, TRIBUTARY_URL: url, TRIBUTARY_KEY: key, ...variables }
    return (await promisify(execFile)(command, args, { cwd: folder, env })).stdout
  }

  it("show the real answers to the commands of docs/http.md", async () => {
    const page = await read("docs/http.md")
    const shown = [...page.matchAll(/```sh\n([^]*?)```\n\n```json\n([^]*?)```/g)]
    assert.lengthOf(shown, page.split("```sh\n").length - 1)
    for (const [, command, answer] of shown) {
      const answered: unknown = JSON.parse(await run({}, "sh", "-c", command!))
      assert.deepStrictEqual(settled(answered), settled(JSON.parse(answer!)), command)
    }
  })

  it("show the real output of the program of docs/http.md", async () => {
    const [, program, prints] = /```ts\n([^]*?)```\n\nIt prints\n\n```\n([^]*?)```\n/.exec(await read("docs/http.md"))!
    assert.strictEqual(program, await read("docs/examples/http.ts"))
    assert.strictEqual(await run({}, process.execPath, join(root, "docs/examples/http.ts")), prints)
  })

  it("show a health check for containers that succeeds while the server runs, and fails otherwise", async () => {
    const [, check] = /^HEALTHCHECK CMD (.+)$/m.exec(await read("docs/operate/deploy.md"))!
    const [command, ...args] = JSON.parse(check!) as ReadonlyArray<string>
    await run({ TRIBUTARY_PORT: new URL(server.url).port }, command!, ...args)
    const refused = await run({ TRIBUTARY_PORT: "1" }, command!, ...args).catch((error: unknown) => error)
    assert.instanceOf(refused, Error)
  })

  it("show commands that work", async () => {
    const operator = { url: server.url, key: ADMIN_TOKEN }
    const WORKSPACE = /workspace +(\S+)/.exec(server.output.stdout)![1]!
    const { connector_id: CONNECTOR } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Guides",
      source_name: "guides"
    })
    const issued = { name: "Old", scopes: ["api:read"] }
    const keys = `/admin/v1/workspaces/${WORKSPACE}/api-keys`
    const { key_id: KEY_ID } = await api<{ key_id: string }>(operator, "POST", keys, issued)
    const auditor = { name: "Auditor", scopes: ["audit:read"] }
    const { secret: AUDIT_KEY } = await api<{ secret: string }>(operator, "POST", keys, auditor)
    const asked = await fetch(`${server.url}/v1/knowledge/ask`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "When is the office closed?" })
    })
    const QUESTION_ID = asked.headers.get("x-question-id")!
    const variables = {
      QUESTION_ID,
      WORKSPACE,
      CONNECTOR,
      KEY_ID,
      AUDIT_KEY,
      ADMIN_TOKEN,
      TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN
    }
    await writeFile(join(folder, "handbook.md"), "# Handbook\n\nThe office is closed on Sundays.\n")

    const pages = globSync("docs/*.md", { cwd: root }).filter((page) => page !== join("docs", "http.md")).sort()
    const commands = (await Promise.all(pages.map(read))).flatMap((page) =>
      [...page.matchAll(/```sh\n(curl [^]*?)```/g)].map(([, command]) => command!)
    )
    assert.isAbove(commands.length, 10)
    // Refusals fail the command. A stream does not end: its start is enough, and the server ends it.
    const strict = "curl() { command curl --silent --show-error --fail-with-body --max-time 120 \"$@\"; }\n"
    const stream = "curl() { grep -q open < <(command curl --silent \"$@\" 2>/dev/null); }\n"
    for (const command of commands) {
      await run(variables, "bash", "-c", (command.includes("curl -N") ? stream : strict) + command)
    }
  })
})
