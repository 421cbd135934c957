// Webhooks on the page Connect, against a receiver that checks signatures as its users do.
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import type { Page } from "playwright-core"
import { Webhook } from "standardwebhooks"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, press, pressInDialog, seen } from "./support/steps.ts"

interface Received {
  readonly body: string
  readonly headers: Record<string, string>
}

const startReceiver = async () => {
  const received: Array<Received> = []
  const state = { status: 204 }
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    received.push({ body: await text(request), headers: request.headers as Record<string, string> })
    response.writeHead(state.status).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    state,
    received,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`,
    stop: () => server.close()
  }
}

describe.skipIf(chromiumPath === null)("Webhooks in the console", () => {
  let console: Console
  let page: Page
  let receiver: Awaited<ReturnType<typeof startReceiver>>

  beforeAll(async () => {
    receiver = await startReceiver()
    const signedIn = await openSignedIn({ TRIBUTARY_ALLOW_PRIVATE_ADDRESSES: "true" })
    ;({ console, page } = signedIn)
    await page.goto(`${signedIn.base}/connect`)
  })
  afterAll(async () => {
    await console?.close()
    receiver.stop()
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("are refused in sight, however long the form is", async () => {
    console.problems.foresee(/400/)
    await page.setViewportSize({ width: 360, height: 640 })
    await press(page, "Add a webhook")
    await fill(page, "Address", "http://8.8.8.8/hook")
    await page.getByLabel("Address", { exact: true }).press("Enter")
    const refusal = page.getByText("It was not added")
    await refusal.waitFor()
    const { bottom, top } = await refusal.evaluate((element) => element.getBoundingClientRect())
    assert.isAtLeast(top, 0)
    assert.isAtMost(bottom, 640)
    await pressInDialog(page, "Close")
    await pressInDialog(page, "Discard")
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it("are created with their events, and show their secret once", async () => {
    await seen(page, "No webhook yet")
    await press(page, "Add a webhook")
    await pressInDialog(page, "Add webhook")
    await seen(page, "Give an address that begins with https://.")
    await fill(page, "Address", receiver.url)
    assert.deepStrictEqual(await axeViolations(page), [])
    await pressInDialog(page, "Add webhook")
    await seen(page, "Copy the secret now")
    assert.deepStrictEqual(await axeViolations(page), [])
    const secret = (await page.getByLabel("The secret", { exact: true }).textContent())!
    await press(page, "I have copied it")
    await seen(page, receiver.url)

    await press(page, `Send a test to ${receiver.url}`)
    await page.getByRole("list", { name: "Deliveries" }).getByText("Taken").waitFor()
    await vi.waitFor(() => assert.isNotEmpty(receiver.received), { timeout: 150_000 })
    const [{ body, headers } = { body: "", headers: {} }] = receiver.received
    assert.strictEqual((new Webhook(secret).verify(body, headers) as { readonly type: string }).type, "webhook.test")
    assert.deepStrictEqual(await axeViolations(page), [])
  })

  it("show the outcome of a delivery, and send it again", async () => {
    receiver.state.status = 500
    await press(page, `Send a test to ${receiver.url}`)
    await seen(page, "answered 500")
    receiver.state.status = 204
    await press(page, "Send again: webhook.test")
    await page.waitForFunction(() => [...document.querySelectorAll(".nested .badge.good")].length === 2)
  })

  it("are switched off and deleted", async () => {
    await press(page, `Switch off ${receiver.url}`)
    await seen(page, "Switched off")
    await press(page, `Switch on ${receiver.url}`)
    await press(page, `Delete ${receiver.url}`)
    await pressInDialog(page, "Delete webhook")
    await seen(page, "No webhook yet")
  })
})
