// The client in a real browser: in a page and in a Web Worker, against the real service on the same origin.
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Core from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import { nodeHandler } from "@tributary/http/NodeHandler"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Option, Redacted } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import type { Browser, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath, launchChromium } from "../../../.ci/chromium.ts"
import { createOperator } from "../src/operator.ts"
import { bundled } from "./support/bundled.ts"

const TOKEN = "operator-token-of-the-tests"

/** The two programs, by the paths that a page loads them from. */
const bundles = async (): Promise<ReadonlyMap<string, string>> => {
  const folder = fileURLToPath(new URL("browser", import.meta.url))
  const chunks = await bundled(folder, {
    input: { page: `${folder}/page.ts`, worker: `${folder}/worker.ts` },
    output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" }
  })
  return new Map(chunks.map(({ code, fileName }) => [`/${fileName}`, code]))
}

/** The service, with a page of its host's beside it. */
const serve = async (scripts: ReadonlyMap<string, string>) => {
  const services = Core.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provide(Layer.merge(Memory.layer, Extract.layer))
  )
  const adminToken = Option.some(Redacted.make(TOKEN))
  const service = await nodeHandler(services, { baseUrl: "http://service", adminToken })
  const server = createServer((request, response) => {
    const script = scripts.get(request.url!)
    if (request.url === "/") {
      response.setHeader("content-type", "text/html").end("<script type=module src=/page.js></script>")
    } else if (script !== undefined) response.setHeader("content-type", "text/javascript").end(script)
    else service.handler(request, response)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const stop = async () => {
    server.close()
    await service.dispose()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

const newKey = async (baseUrl: string): Promise<string> => {
  const operator = createOperator({ baseUrl, apiKey: TOKEN })
  const { personal_workspace } = await operator.accounts.create({ name: "Browser" })
  const scopes = ["api:read", "api:write"] as const
  return (await operator.keys.create(personal_workspace.workspace_id, { name: "Browser", scopes })).secret
}

type Program = (url: string, key: string) => Promise<unknown>

const inPage = (page: Page, url: string, key: string): Promise<unknown> =>
  page.evaluate(
    ([url, key]) => (globalThis as unknown as { readonly program: Program }).program(url, key),
    [url, key] as const
  )

const inWorker = (page: Page, url: string, key: string): Promise<unknown> =>
  page.evaluate(
    (message) =>
      new Promise((resolve, reject) => {
        const worker = new Worker("/worker.js", { type: "module" })
        worker.addEventListener("message", ({ data }) => resolve(data))
        worker.addEventListener("error", ({ message }) => reject(new Error(message)))
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's own method takes none
        worker.postMessage(message)
      }),
    [url, key] as const
  )

describe.skipIf(chromiumPath === null)("In a browser", () => {
  let browser: Browser
  let server: Awaited<ReturnType<typeof serve>>

  beforeAll(async () => {
    const [launched, scripts] = await Promise.all([launchChromium(), bundles()])
    browser = launched
    server = await serve(scripts)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })

  // A page that came over plain http, from elsewhere than its own host, has less of the platform.
  it.each(
    [
      ["a page", inPage, "127.0.0.1"],
      ["a Web Worker", inWorker, "127.0.0.1"],
      ["a page over plain http", inPage, "knowledge.test"]
    ] as const
  )(
    "%s pushes, waits, searches, streams an answer, leaves a stream and distinguishes failures",
    async (_, run, host) => {
      const page = await browser.newPage()
      const url = server.url.replace("127.0.0.1", host)
      await page.goto(url)
      assert.strictEqual(await page.evaluate(() => isSecureContext), host === "127.0.0.1")
      assert.deepStrictEqual(await run(page, url, await newKey(server.url)), {
        created: 250,
        events: 1,
        up_to_date: true,
        found: "The cloakroom is in the basement.",
        answer: ["Room 42 has 342 seats.", "delta", "done"],
        left: "left",
        absent: ["NotFoundError", 404, "document_not_found", false],
        limited: ["RateLimitError", 429, "rate_limit_exceeded", true]
      })
    }
  )
})
