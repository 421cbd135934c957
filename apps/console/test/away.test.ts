// The server is away or silent, the line is slow, or the store is in memory.
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { startServer } from "../../server/test/serverProcess.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openConsole } from "./support/console.ts"
import { go, heading, seen, signIn } from "./support/steps.ts"

/** A line to the server, on which what the server sends may get lost without an end of the connection. */
const startLine = async (url: string) => {
  const line = { url: "", pass: (data: Buffer) => data, close: () => {} }
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(new URL(url).port), "127.0.0.1")
    near.pipe(far)
    far.on("data", (data) => near.write(line.pass(data)))
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", () => {}).on("close", () => {
        near.destroy()
        far.destroy()
      })
    }
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  line.close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return line
}

const all = (data: Buffer): Buffer => data
const nothing = (): Buffer => Buffer.alloc(0)
const beginning = (data: Buffer): Buffer => data.subarray(0, data.indexOf("\r\n\r\n") + 5)

const AWAY = [/ERR_|Failed to load resource|Failed to fetch|503|server: /]

describe.skipIf(chromiumPath === null)("While the server is unavailable or slow", () => {
  let console: Console

  beforeAll(async () => {
    console = await openConsole()
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("the first paint does not wait for scripts", async () => {
    const page = await console.newPage()
    await page.route("**/*.js", () => {})
    await page.goto(`${console.url}/console/`, { waitUntil: "commit" })
    await page.getByText("Tributary", { exact: true }).waitFor()
    assert.isTrue(await page.locator(".skeleton").isVisible())
    await page.context().close()
  })

  it("preloaded pages open, and show the error", async () => {
    const page = await console.newPage({ preloads: true })
    await signIn(page, await console.signInLink())
    await heading(page, "Personal")
    await page.waitForFunction(() =>
      performance.getEntriesByType("resource").some(({ name }) => name.includes("/AuditLog-"))
    )
    console.problems.foresee(...AWAY)
    await console.stopServer()
    await go(page, "Members")
    await heading(page, "Members")
    await seen(page, "The server does not answer. This page continues by itself when it does.")
    await console.startServer()
    await page.locator(".offline").waitFor({ state: "detached" })
    await page.context().close()
  })

  it("a page that is not loaded shows an error, and opens when the server is available again", async () => {
    const page = await console.newPage()
    console.problems.foresee(...AWAY, /page could not be loaded/)
    await page.route("**/assets/Members-*.js", (route) => route.abort())
    await signIn(page, await console.signInLink())
    await heading(page, "Personal")
    await go(page, "Members")
    await heading(page, "This page is not here yet")
    await page.unroute("**/assets/Members-*.js")
    await heading(page, "Members")
    await page.context().close()
  })

  it("each part of the overview says that it failed, and keeps the focus while it is tried again", async () => {
    const page = await console.newPage()
    await signIn(page, await console.signInLink())
    console.problems.foresee(/500/)
    await page.route("**/console/api/workspaces/*/timeline", (route) => route.fulfill({ status: 500, json: {} }))
    await page.reload()
    const timeline = page.getByRole("region", { name: "Documents in time" })
    await timeline.getByText("The timeline cannot be shown").waitFor()
    await page.getByText("0 of 10,000").waitFor()
    const button = timeline.getByRole("button", { name: "Try again" })
    await button.focus()
    for (let count = 0; count < 2; count++) {
      const answered = page.waitForResponse(/timeline$/)
      await page.keyboard.press("Enter")
      await answered
    }
    assert.isTrue(await button.evaluate((element) => element === document.activeElement))
    await page.unrouteAll()
    await page.keyboard.press("Enter")
    await timeline.getByText("Nothing is stored yet").waitFor()
    await page.context().close()
  })

  it("a proxy that answers in its place is waited out", async () => {
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    console.problems.foresee(/502/)
    const gateway = { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }
    await page.route(/\/(v1|console\/api)\//, (route) => route.fulfill(gateway))
    await go(page, "Members")
    await seen(page, "The server does not answer. This page continues by itself when it does.")
    await page.unrouteAll()
    await page.locator(".offline").waitFor({ state: "detached" })
    assert.strictEqual(page.url(), `${base}/members`)
    await page.context().close()
  })

  it("a stream that has fallen silent is opened again, and an answer that does not end is given up", async () => {
    const line = await startLine(console.url)
    const page = await console.newPage()
    console.problems.foresee(...AWAY)
    await page.clock.install()
    const link = new URL(await console.signInLink())
    const base = await signIn(page, `${line.url}${link.pathname}${link.hash}`)
    const followed = page.waitForResponse(/workspaces\/events$/)
    await page.goto(`${base}/events`)
    await followed
    await seen(page, "Following")
    line.pass = nothing
    await page.clock.fastForward(61_000)
    await seen(page, "Connecting again…")
    line.pass = all
    await seen(page, "Following")
    await page.goto(`${base}/jobs`)
    await seen(page, "No jobs yet")
    line.pass = beginning
    const asked = page.waitForResponse(/ask\/jobs/)
    await page.clock.fastForward(11_000)
    await asked
    await page.clock.fastForward(61_000)
    await seen(page, "The server does not answer. This page continues by itself when it does.")
    line.pass = all
    await page.locator(".offline").waitFor({ state: "detached" })
    await page.context().close()
    line.close()
  })

  it("a page whose parts cannot be read again says so, until they can", async () => {
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    console.problems.foresee(/500/)
    await page.goto(`${base}/jobs`)
    await seen(page, "No jobs yet")
    const failure = { error_code: "internal_server_error", message: "An unexpected error occurred." }
    await page.route("**/v1/knowledge/ask/jobs?*", (route) => route.fulfill({ status: 500, json: failure }))
    await seen(
      page,
      "This page may be out of date. A part of it could not be read again: An unexpected error occurred."
    )
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.unrouteAll()
    await page.locator(".offline").waitFor({ state: "detached" })
    await page.context().close()
  })

  it("a part that is away is not the whole server, and is read again by itself", async () => {
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    console.problems.foresee(/503/)
    await page.clock.install()
    const busy = { error_code: "service_unavailable", message: "The store is busy.", details: null }
    await page.route("**/v1/knowledge/ask/jobs/*", (route) => route.fulfill({ status: 503, json: busy }))
    await page.goto(`${base}/jobs/00000000-0000-4000-8000-000000000000`)
    await page.clock.runFor(2_000)
    await seen(page, "The store is busy.")
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await page.clock.runFor(3_000)
    assert.strictEqual(await page.getByText("This page continues by itself").count(), 0)
    assert.deepStrictEqual(asked.filter((url) => !url.endsWith("/events")), [])
    await page.unrouteAll()
    await page.route(
      "**/v1/knowledge/ask/jobs/*",
      (route) => route.fulfill({ contentType: "text/html", body: "Sign in" })
    )
    await page.clock.runFor(10_000)
    await seen(
      page,
      "A proxy in front of the service answered in its place. Reload the page: it may ask you to sign in."
    )
    await page.context().close()
  })

  it("a list says that what comes next cannot be shown, and is read on", async () => {
    const page = await console.newPage()
    const base = await signIn(page, await console.signInLink())
    console.problems.foresee(/500/)
    let isBroken = true
    await page.route("**/v1/knowledge/ask/jobs?*", (route) => {
      if (!route.request().url().includes("cursor")) return route.fulfill({ json: { jobs: [], next_cursor: "next" } })
      return isBroken
        ? route.fulfill({ status: 500, json: {} })
        : route.fulfill({ json: { jobs: [], next_cursor: null } })
    })
    await page.goto(`${base}/jobs`)
    const more = page.getByRole("button", { name: "Show more" })
    await more.click()
    await seen(page, "What comes next cannot be shown")
    isBroken = false
    await more.click()
    await more.waitFor({ state: "detached" })
    await page.context().close()
  })

  it("a store in memory prints a link that signs in", async () => {
    const server = await startServer([], { TRIBUTARY_STORAGE: "memory" })
    const link = /console\s+(\S+#token=\S+)/.exec(server.output.stdout)?.[1]
    const page = await console.newPage()
    await signIn(page, link!)
    await heading(page, "Personal")
    await page.context().close()
    await server.stop()
  })
})
