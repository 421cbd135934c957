import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { type AddressInfo, connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import { api, command, IN_MEMORY, type RunningServer, startServer, tributary } from "./serverProcess.ts"

interface Citation {
  readonly entity: {
    readonly id: string
    readonly marker: number
    readonly quote: string
    readonly start: number
    readonly end: number
  }
}

/** The request that a printed `curl` command sends, as a shell reads the command. */
const printedRequest = (stdout: string) => {
  const command = stdout.slice(stdout.indexOf("curl "))
  const spy = `curl() { "${process.execPath}" -p "JSON.stringify(process.argv.slice(1))" -- "$@"; }\n`
  const [url, ...flags] = JSON.parse(execFileSync("sh", ["-c", spy + command], { encoding: "utf8" })) as Array<string>
  const after = (flag: string) => flags.flatMap((word, index) => word === flag ? [flags[index + 1]!] : [])
  return {
    url: url!,
    headers: after("-H").map((line) => line.split(": ") as [string, string]),
    body: after("-d")[0] ?? null
  }
}

describe("the first start", () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer(["--demo"], { TRIBUTARY_MEMORY: "512", TRIBUTARY_ANSWERS_KEY: "sent-nowhere" })
  })
  afterAll(() => server.child.kill("SIGKILL"))

  it("prints a curl command that gets a cited answer about Tributary, every quote verbatim", async () => {
    const { body, headers, url } = printedRequest(server.output.stdout)
    const response = await fetch(url, { method: "POST", headers, body })
    const answer = await response.json() as { answered: boolean; response: string; citations: Array<Citation> }
    assert.strictEqual(response.status, 200)
    assert.isTrue(answer.answered)
    assert.isAbove(answer.citations.length, 0)
    for (const { entity } of answer.citations) {
      const { text } = await api<{ text: string }>(server, "GET", `/v1/documents/${entity.id}`)
      assert.strictEqual(text.slice(entity.start, entity.end), entity.quote)
      assert.include(answer.response, `[${entity.marker}]`)
      assert.include(server.output.stdout, `  [${entity.marker}] `)
    }
    assert.match(answer.response, /revoke/)
  })

  it("keeps the key out of the log", () => {
    assert.include(server.output.stderr, "server listening")
    assert.notInclude(server.output.stderr, server.key)
    assert.notInclude(server.output.stderr, "pk_live_")
  })

  it("warns about an unknown variable that is named like a setting", () => {
    assert.match(server.output.stderr, /no setting has such a name[^\n]*TRIBUTARY_MEMORY\b/)
  })

  it("warns about a setting without effect, by its name alone", () => {
    assert.match(server.output.stderr, /settings have no effect[^\n]*TRIBUTARY_ANSWERS_KEY\b/)
    assert.notInclude(server.output.stderr, "sent-nowhere")
  })

  it("keeps idle connections for longer than load balancers, which otherwise send requests into closed ones", async () => {
    assert.strictEqual((await fetch(`${server.url}/healthz`)).headers.get("keep-alive"), "timeout=75")
  })

  it("answers a head that is too long in the form of all errors", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
    socket.end(`GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    assert.match(await text(socket), /^HTTP\/1.1 431 [^]*\r\nx-request-id: [^]*\{"error_code":"headers_too_large",/)
  })

  it("answers an id that cannot be decoded as one that does not exist", async () => {
    const response = await fetch(`${server.url}/v1/custom-connectors/%zz`)
    const { error_code } = await response.json() as { error_code: string }
    assert.deepStrictEqual([response.status, error_code], [404, "client_not_found"])
  })

  it("explains what to do about a port in use, without a stack trace", async () => {
    const port = new URL(server.url).port
    const second = tributary(["serve"], { ...IN_MEMORY, TRIBUTARY_PORT: port })
    assert.strictEqual(await second.ended, 1)
    assert.include(second.output.stderr, `Port ${port} of 127.0.0.1 is in use`)
    assert.notMatch(second.output.stderr, /\n\s+at /)
    assert.notInclude(second.output.stdout, "pk_live_")
  })

  it("ends with code 0 on SIGTERM", async () => {
    assert.strictEqual(await server.stop(), 0)
  })
})

describe("a server whose output nobody reads", () => {
  it("starts, serves and ends all the same", async () => {
    const reserved = createServer().listen(0, "127.0.0.1")
    await once(reserved, "listening")
    const { port } = reserved.address() as AddressInfo
    reserved.close()
    const directory = mkdtempSync(join(tmpdir(), "tributary-unread-"))
    onTestFinished(() => rmSync(directory, { recursive: true }))
    const settings = { TRIBUTARY_DATA_DIR: directory, TRIBUTARY_FSYNC: "false", TRIBUTARY_PORT: String(port) }
    const { child, ended } = tributary(["serve"], settings)
    for (const stream of [child.stdout, child.stderr]) stream!.destroy()
    const isHealthy = () => fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false)
    while (child.exitCode === null && !await isHealthy());
    child.kill("SIGTERM")
    const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode]
    assert.strictEqual(code, 0)
    await ended
  })
})

describe("without --demo", () => {
  it("prints a curl command that works, and finishes the running request on SIGTERM", async () => {
    const server = await startServer([], { TRIBUTARY_LOG_FORMAT: "json" })
    onTestFinished(() => void server.child.kill("SIGKILL"))
    const printed = printedRequest(server.output.stdout)
    assert.strictEqual((await fetch(printed.url, { headers: printed.headers })).status, 200)
    const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Notes",
      source_name: "notes"
    })

    // The server answers 100 when it reads the body: then the request is in progress.
    const pending = request(`${server.url}/v1/custom-connectors/${connector_id}/ingest/text`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.key}`,
        "content-type": "application/json",
        expect: "100-continue"
      }
    })
    pending.flushHeaders()
    await once(pending, "continue")
    pending.write("{\"items\": [")
    server.child.kill("SIGTERM")
    const signalled = performance.now()
    const isOpen = () => fetch(`${server.url}/healthz`).then(() => true, () => false)
    while (await isOpen());
    pending.end("{\"text\": \"the last note\"}]}")
    const [response] = await once(pending, "response")
    assert.strictEqual(response.statusCode, 200)
    response.resume()
    assert.strictEqual(await server.ended, 0)
    assert.isBelow(performance.now() - signalled, 10_000)
    for (const line of server.output.stderr.trim().split("\n")) assert.isObject(JSON.parse(line))
  })

  it("stops as on SIGTERM when its terminal closes", async () => {
    const server = await startServer()
    server.child.kill("SIGHUP")
    assert.strictEqual(await server.ended, 0)
  })

  it("ends open event streams with a last event, at once on SIGTERM", async () => {
    const server = await startServer()
    onTestFinished(() => void server.child.kill("SIGKILL"))
    const headers = { authorization: `Bearer ${server.key}`, accept: "text/event-stream" }
    const stream = await fetch(`${server.url}/v1/runtime/events`, { headers })
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    assert.strictEqual((await reader.read()).value, ": open\n\n")
    const signalled = performance.now()
    const stopped = server.stop()
    const { value } = await reader.read()
    assert.match(value ?? "", /^event: error\ndata: .*"service_unavailable"/)
    assert.isTrue((await reader.read()).done)
    assert.strictEqual(await stopped, 0)
    assert.isBelow(performance.now() - signalled, 7_500)
  })

  it("says in one sentence that it cannot keep temporary files", async () => {
    const { code, stderr, stdout } = await command(["serve"], { ...IN_MEMORY, TRIBUTARY_PORT: "0", TMPDIR: "/nowhere" })
    assert.strictEqual(code, 1)
    assert.strictEqual(
      stderr,
      "The folder for temporary files /nowhere cannot be used: it does not exist. Set TMPDIR to another one.\n"
    )
    assert.strictEqual(stdout, "")
  })
})
