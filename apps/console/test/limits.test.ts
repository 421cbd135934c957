// Limits of the plan, and what becomes of questions and searches meanwhile: nothing waits out of sight, nothing is lost.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { createClient } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, press, seen, workspaceOf } from "./support/steps.ts"

const NO_LIMITS = { ask: null, search: null }

describe.skipIf(chromiumPath === null)("Questions and searches", () => {
  let console: Console
  let page: Page
  let base: string

  const limit = (limits: object) => console.operator.workspaces.update(workspaceOf(page), { limits })
  const ask = async (question: string) => {
    await fill(page, "Question", question)
    await page.keyboard.press("Enter")
  }

  beforeAll(async () => {
    ;({ base, console, page } = await openSignedIn())
    const client = createClient({ baseUrl: console.url, apiKey: console.key })
    const { connector_id } = await client.connectors.create({ name: "Team wiki", source_name: "team-wiki" })
    await client.ingest.text(connector_id, [
      {
        external_id: "rfc-12",
        title: "Deploys",
        text: "Deploys run on weekdays. A release manager approves each one."
      },
      { external_id: "rfc-15", title: "Incidents", text: "Whoever is on call names a lead." }
    ])
  })
  afterAll(() => console?.close())
  afterEach(async () => {
    assert.deepStrictEqual(console.problems.take(), [])
    await limit(NO_LIMITS)
  })

  it("are retried when the rate limit allows", async () => {
    console.problems.foresee(/429/)
    await limit({ ask: { limit: 1, window_seconds: 6 } })
    await page.goto(`${base}/playground`)
    await ask("Who approves a release?")
    await page.getByRole("list", { name: "Citations" }).waitFor()
    await ask("Who names a lead?")
    await page.getByRole("region", { name: "Answer" }).getByText("Whoever is on call names a lead.").first().waitFor()
  })

  it("show that they wait for the rate limit, and can be stopped or replaced", async () => {
    console.problems.foresee(/429/)
    await limit({ ask: { limit: 1, window_seconds: 3_600 } })
    await page.goto(`${base}/playground`)
    await ask("Who approves a release?")
    await seen(page, "extractive")
    await ask("Who names a lead?")
    await seen(page, /The question is asked again in\s+\d+ (minutes|seconds)/)
    assert.deepStrictEqual(await axeViolations(page), [])
    await press(page, "Stop")
    await seen(page, "It was stopped before anything was answered.")
    await limit(NO_LIMITS)
    // Another question does not wait for the one before.
    await ask("Who approves a release?")
    await page.getByRole("list", { name: "Citations" }).waitFor()
  })

  it("are answered visibly, part by part", async () => {
    const tab = await console.newTab(page)
    // All but the end of the answer, until the test allows that, too.
    await tab.addInitScript(() => {
      const { fetch } = globalThis
      const { promise, resolve } = Promise.withResolvers<void>()
      Object.assign(globalThis, { finish: resolve })
      globalThis.fetch = async (...request) => {
        const response = await fetch(...request)
        if (!response.url.endsWith("/v1/knowledge/ask")) return response
        const body = new TextEncoder().encode(await response.text())
        const end = new TextDecoder().decode(body).indexOf("event: done")
        const held = new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(body.slice(0, end))
            await promise
            controller.enqueue(body.slice(end))
            controller.close()
          }
        })
        return new Response(held, response)
      }
    })
    await tab.goto(`${base}/playground`)
    await fill(tab, "Question", "Who approves a release?")
    await tab.keyboard.press("Enter")
    const answer = tab.getByRole("region", { name: "Answer" })
    await answer.getByText("A release manager approves each one.").first().waitFor()
    await tab.getByRole("button", { name: "Stop", exact: true }).waitFor()
    assert.strictEqual(await answer.getByText("extractive").count(), 0)
    await tab.evaluate(() => (globalThis as unknown as { readonly finish: () => void }).finish())
    await answer.getByText("extractive").waitFor()
    await tab.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" })
    await tab.close()
  })

  it("are answered in Markdown, with hostile markup as text", async () => {
    const response = `A **bold** word and \`code\`.

- one
- two

| Name | Value |
| ---- | ----- |
| left | right |

\`\`\`
let it = 1
\`\`\`

<img src=x onerror="window.hit=1"> and [a link](javascript:window.hit=1)`
    const answer = { response, citations: [], truncated: false, answered: true, snapshot: null, model: "made-up" }
    await page.route("**/v1/knowledge/ask", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `event: done\ndata: ${JSON.stringify(answer)}\n\n`
      }))
    await page.goto(`${base}/playground`)
    await ask("What is in it?")
    const shown = page.getByRole("region", { name: "Answer" })
    await shown.locator("strong").getByText("bold", { exact: true }).waitFor()
    await shown.locator("p code").getByText("code").waitFor()
    await shown.getByRole("listitem").getByText("two").waitFor()
    await shown.getByRole("cell", { name: "right" }).waitFor()
    await shown.locator("pre").getByText("let it = 1").waitFor()
    await shown.getByText("<img src=x onerror=\"window.hit=1\"> and a link").waitFor()
    assert.strictEqual(await shown.getByRole("link", { name: "a link" }).count(), 0)
    assert.strictEqual(await shown.locator("img").count(), 0)
    assert.isUndefined(await page.evaluate(() => (globalThis as { readonly hit?: number }).hit))
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.unroute("**/v1/knowledge/ask")
  })

  it("wait visibly for a search, too", async () => {
    console.problems.foresee(/429/)
    await limit({ search: { limit: 1, window_seconds: 3_600 } })
    await page.goto(`${base}/playground?mode=search`)
    await fill(page, "Search for", "deploys")
    await page.keyboard.press("Enter")
    await seen(page, "1 shown")
    await fill(page, "Search for", "incidents")
    await page.keyboard.press("Enter")
    await seen(page, /Trying again in\s+\d+ (minutes|seconds)/)
    await press(page, "Stop")
    await seen(page, "Stopped. Nothing more is sent.")
    await limit(NO_LIMITS)
    await press(page, "Try again")
    await seen(page, "1 shown")
  })

  it("are stopped or replaced while the server searches", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route("**/v1/knowledge/search", async (route) => {
      if (route.request().postDataJSON().q === "slow") await released
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${base}/playground?mode=search&q=slow`)
    await press(page, "Stop")
    await seen(page, "It was stopped before anything was found.")
    await press(page, "Search again")
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor()
    await fill(page, "Search for", "deploys")
    await page.keyboard.press("Enter")
    await seen(page, "1 shown")
    release()
    await page.unroute("**/v1/knowledge/search")
  })

  it("show the remaining time of a limit in words", async () => {
    console.problems.foresee(/429/)
    // Used up by the question before.
    await limit({ ask: { limit: 1, window_seconds: 3_600 } })
    await page.goto(`${base}/playground`)
    await fill(page, "Question", "Who names a lead?")
    await press(page, "Ask as a job")
    await seen(page, /This limit is used up for now. It is free again in \d+ (minutes|seconds)./)
    await go(page, "Overview")
    await seen(page, /0 left of 1 an hour, all of it again in \d+ (minutes|seconds)/)
    await page.getByRole("region", { name: "Rate limits" }).getByText("Full", { exact: true }).waitFor()
    // Also in the system's own colours, how much is used and what is chosen shows.
    const background = (name: string) =>
      page.locator(name).first().evaluate((element) => getComputedStyle(element).backgroundColor)
    await page.emulateMedia({ forcedColors: "active" })
    for (
      const [part, other] of [
        [".track > span", ".track"],
        [".timeline-plot > .bar > span", ".card"],
        [".tabs button[aria-pressed=true]", ".tabs button[aria-pressed=false]"],
        [".nav a.active", ".nav a:not(.active)"]
      ] as const
    ) {
      assert.notStrictEqual(await background(part), await background(other), part)
    }
    await page.emulateMedia({ forcedColors: null })
  })

  it("are refused while the workspace is suspended, which is not a matter of anybody's role", async () => {
    console.problems.foresee(/403/)
    await page.goto(`${base}/playground`)
    await console.operator.workspaces.update(workspaceOf(page), { suspended: true })
    await ask("Who names a lead?")
    const failure = page.getByRole("alert")
    await failure.getByText(/^The workspace is suspended/).waitFor()
    assert.notInclude(await failure.innerText(), "role")
    await console.operator.workspaces.update(workspaceOf(page), { suspended: false })
  })

  it("are still there after returning from a citation, and after a reload", async () => {
    let asked = 0
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/knowledge/ask")) asked++
    })
    await page.goto(`${base}/playground`)
    await ask("Who approves a release?")
    const citations = page.getByRole("list", { name: "Citations" })
    await citations.getByRole("link").first().click()
    await heading(page, "Deploys")
    await page.goBack()
    await citations.waitFor()
    assert.strictEqual(await page.getByLabel("Question", { exact: true }).inputValue(), "Who approves a release?")
    await page.goForward()
    await page.locator("mark").first().waitFor()
    await page.goBack()
    await citations.waitFor()
    await page.reload()
    await citations.waitFor()
    assert.strictEqual(asked, 1)
    // An address without a question shows none, and leads to the earlier ones.
    await page.goto(`${base}/playground`)
    await page.getByRole("region", { name: "Asked before" }).getByRole("link", { name: "Who approves a release?" })
      .click()
    await citations.waitFor()
    assert.strictEqual(asked, 1)
    await press(page, "Clear")
    await page.getByRole("region", { name: "Asked before" }).waitFor({ state: "detached" })
  })

  it("keep their filters in the address", async () => {
    await page.goto(`${base}/playground?mode=search`)
    await page.getByText("Filters", { exact: true }).click()
    await page.getByLabel("Source").selectOption("custom:team-wiki")
    await page.getByLabel("Where").selectOption("in")
    await fill(page, "Search for", "deploys")
    await page.keyboard.press("Enter")
    await seen(page, "1 shown")
    await page.getByRole("region", { name: "Results" }).getByRole("link", { name: "Deploys" }).click()
    await heading(page, "Deploys")
    await page.goBack()
    await seen(page, "1 shown")
    for (const look of [() => Promise.resolve(), () => page.reload()]) {
      await look()
      await seen(page, "1 shown")
      assert.strictEqual(await page.getByLabel("Source").inputValue(), "custom:team-wiki")
      assert.strictEqual(await page.getByLabel("Where").inputValue(), "in")
      assert.strictEqual(await page.getByLabel("Search for").inputValue(), "deploys")
    }
  })
})
