// The service inside a host's own server: docs/examples as docs/mount.md shows them, run unchanged.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect } from "node:net"
import { fileURLToPath } from "node:url"
import { assert, describe, it, onTestFinished } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import { overHttp } from "../support/assistant.ts"
import { tied } from "../../../sources/test/support/programs.ts"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
const TOKEN = "operator-token-of-the-tests"

const start = async (example: string): Promise<{ readonly child: ChildProcess; readonly url: string }> => {
  const child = spawn(...tied("KILL", process.execPath, [`${root}/docs/examples/${example}.ts`]), {
    env: { ...process.env, PORT: "0", ADMIN_TOKEN: TOKEN, BASE_URL: "https://kb.test" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  onTestFinished(() => void child.kill("SIGKILL"))
  const [line] = await once(child.stdout.setEncoding("utf8"), "data")
  return { child, url: String(line).trim() }
}

interface Sent {
  readonly body?: unknown
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

const requests = (url: string) => (method: string, path: string, { body, headers, key }: Sent = {}) =>
  fetch(url + path, {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const EXAMPLES = ["express", "fastify", "hono", "effect"]

/** `pack` runs all from the packed packages. */
const RUN = extent(["express"], ["fastify", "hono", "effect"])

describe.each(RUN)("Mounted in %s", (example) => {
  it("answers beside the host's routes: JSON, 401, 404, 405, 422, uploads, streams and assistants; and ends with it", async () => {
    const { child, url } = await start(example)
    const send = requests(url)
    assert.deepStrictEqual(await (await send("GET", "/hello")).json(), { hello: "from the host" })

    const account = await (await send("POST", "/admin/v1/accounts", { key: TOKEN, body: { name: "A" } })).json()
    const workspace = `/admin/v1/workspaces/${account.personal_workspace.workspace_id}`
    const body = { name: "K", scopes: ["api:read", "api:write"] }
    const { secret: key } = await (await send("POST", `${workspace}/api-keys`, { key: TOKEN, body })).json()

    const refused = await send("GET", "/v1/usage/current")
    assert.deepStrictEqual(
      [refused.status, refused.headers.get("www-authenticate"), (await refused.json()).error_code],
      [401, "Bearer", "authentication_error"]
    )
    assert.strictEqual((await (await send("GET", "/v1/nothing", { key })).json()).error_code, "not_found")
    assert.strictEqual((await send("PUT", "/v1/usage/current", { key })).status, 405)
    assert.strictEqual((await send("GET", "/errors/not_found")).headers.get("content-type"), "text/html; charset=utf-8")

    const connector = await send("POST", "/v1/custom-connectors", { key, body: { name: "N", source_name: "notes" } })
    assert.strictEqual(connector.status, 201)
    const path = `/v1/custom-connectors/${(await connector.json()).connector_id}`
    const invalid = await send("POST", `${path}/ingest/text`, { key, body: { items: [{}], x: 1 } })
    assert.strictEqual(invalid.status, 422)
    assert.deepStrictEqual(
      (await invalid.json()).detail.map(({ loc }: { readonly loc: unknown }) => loc),
      [["body", "items", 0, "text"], ["body", "x"]]
    )

    const stream = await send("GET", "/v1/runtime/events", { key, headers: { accept: "text/event-stream" } })
    assert.strictEqual(stream.headers.get("content-type"), "text/event-stream")
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    assert.strictEqual((await reader.read()).value, ": open\n\n")
    const form = new FormData()
    form.append("file", new File(["Deploys run on weekdays."], "a.txt"))
    form.append("external_id", "a")
    const uploaded = await fetch(`${url}${path}/ingest/typed/upload`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: form
    })
    assert.deepInclude(await uploaded.json(), { status: "accepted", external_ids: ["a"] })
    assert.match((await reader.read()).value ?? "", /^id: 1\nevent: document.created\n/)

    const asked = await send("POST", "/v1/knowledge/ask", {
      key,
      body: { query: "When do deploys run?" },
      headers: { accept: "text/event-stream" }
    })
    assert.match(await asked.text(), /^: open\n\nevent: citation\n[^]*\n\nevent: delta\n[^]*\n\nevent: done\n/)

    const assistant = await overHttp("v2", url, key)
    const found = await assistant.call("search", { query: "deploys" })
    assert.lengthOf(found.structuredContent["results"] as ReadonlyArray<unknown>, 1)
    await assistant.close()

    // Browsers open connections before they have a request.
    const { hostname, port } = new URL(url)
    await once(connect(Number(port), hostname).on("error", () => {}), "connect")
    const signalled = performance.now()
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    assert.match((await reader.read()).value ?? "", /^event: error\n/)
    assert.isTrue((await reader.read()).done)
    await ended
    assert.isBelow(performance.now() - signalled, 18_000)
  })
})

it.each(EXAMPLES)("docs/mount.md shows the program for %s", (example) => {
  const shown = readFileSync(`${root}/docs/mount.md`, "utf8")
  assert.include(shown, `\`\`\`ts\n${readFileSync(`${root}/docs/examples/${example}.ts`, "utf8")}\`\`\`\n`)
})
