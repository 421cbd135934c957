// The console behind a proxy that serves it below a path.
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { openConsole } from "./support/console.ts"
import { go, heading, seen, signIn } from "./support/steps.ts"

const PATH = "/knowledge"

/** Passes requests below `PATH` on to a server at its root. Everything else does not exist. */
const startProxy = async () => {
  let target = ""
  const proxy = createServer((asked, answered) => {
    if (!asked.url?.startsWith(`${PATH}/`)) return void answered.writeHead(404).end()
    const { headers, method } = asked
    const passed = request(target + asked.url.slice(PATH.length), { headers, method }, (response) => {
      answered.writeHead(response.statusCode!, response.headers)
      response.pipe(answered)
    })
    passed.on("error", () => answered.destroy())
    answered.on("close", () => passed.destroy())
    asked.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${PATH}`,
    passTo: (url: string) => void (target = url),
    close: () => {
      proxy.close()
      proxy.closeAllConnections()
    }
  }
}

describe.skipIf(chromiumPath === null)("A console below a path", () => {
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let console: Awaited<ReturnType<typeof openConsole>>
  beforeAll(async () => {
    proxy = await startProxy()
    console = await openConsole({ TRIBUTARY_BASE_URL: proxy.url })
    proxy.passTo(console.url)
  })
  afterAll(async () => {
    await console?.close()
    proxy?.close()
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("signs in, and opens its pages from links and from their addresses", async () => {
    const page = await console.newPage()
    const link = await console.signInLink()
    assert.isTrue(link.startsWith(`${proxy.url}/console/sign-in#`))
    const base = await signIn(page, link)
    assert.isTrue(base.startsWith(`${proxy.url}/console/w/`))
    await go(page, "Sources")
    await heading(page, "Sources")
    await page.goto(`${base}/connect`)
    await heading(page, "Connect")
    await seen(page, `${proxy.url}/mcp`)
    await page.goto(proxy.url.slice(0, -PATH.length) + `${PATH}/console`)
    await heading(page, "Personal")
    await page.context().close()
  })

  it("leads a visitor without a session to its own sign-in page", async () => {
    console.problems.foresee(/401/)
    const page = await console.newPage()
    await page.goto(`${proxy.url}/console/`)
    await heading(page, "Sign in")
    assert.strictEqual(page.url(), `${proxy.url}/console/sign-in`)
    await page.context().close()
  })
})
