// Answers of a language model: streamed, with its name, and with what was left out and why.
import type { Page, Request } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { replyOf, startScriptedModel } from "../../../packages/answers/test/support/scriptedModel.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, seen } from "./support/steps.ts"

const QUERY = "When do deploys run?"
const WEEKDAYS = ["Deploys run on weekdays.", [1, "Deploys run on weekdays before 16:00."]] as const
const APPROVED = ["Ada approves them.", [1, "Ada approves them."]] as const
const INVENTED = ["Deploys run in Zanzibar.", [1, "Deploys run in Zanzibar."]] as const

describe.skipIf(chromiumPath === null)("A question to a language model", () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>
  let console: Console
  let page: Page
  let base: string

  beforeAll(async () => {
    model = await startScriptedModel()
    const opened = await openSignedIn({ TRIBUTARY_ANSWERS_URL: model.url, TRIBUTARY_ANSWERS_MODEL: "small-model" })
    ;({ base, console, page } = opened)
    const { connector_id } = await opened.client.connectors.create({ name: "Wiki", source_name: "wiki" })
    const text = "Deploys run on weekdays before 16:00. Ada approves them."
    await opened.client.ingest.text(connector_id, [{ title: "Deploys", text }])
  })
  afterAll(async () => {
    await console?.close()
    await model?.close()
  })
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const ask = async () => {
    await page.goto(base)
    await go(page, "Playground")
    await heading(page, "Playground")
    await page.getByLabel("Question").fill(QUERY)
    await page.getByLabel("Question").press("Enter")
  }

  const answer = () => page.getByRole("region", { name: "Answer" })

  it("shows the model's name, and why a statement was left out, but not the statement", async () => {
    model.scripts.push({ reply: replyOf(WEEKDAYS, INVENTED) }, { reply: replyOf(INVENTED) })
    await ask()
    await answer().getByRole("status").getByText("small-model", { exact: true }).waitFor()
    await seen(page, "a statement of small-model could not be proved and was left out")
    const shown = await answer().innerText()
    assert.include(shown, WEEKDAYS[0])
    assert.include(shown, "Deploys run on weekdays before 16:00.")
    assert.notInclude(shown, "Zanzibar")
    assert.deepStrictEqual(await axeViolations(page), [])
  })

  it("shows each statement while the model writes the next one", async () => {
    model.scripts.push({ reply: replyOf(WEEKDAYS, APPROVED), size: 1, pause: 20 })
    await ask()
    await answer().getByText(WEEKDAYS[0], { exact: true }).waitFor()
    assert.include(await answer().innerText(), "Answering…")
    assert.notInclude(await answer().innerText(), APPROVED[0])
    await answer().getByText(APPROVED[0], { exact: true }).first().waitFor()
    await answer().getByRole("status").getByText("small-model", { exact: true }).waitFor()
  })

  it("is asked once, also if Enter is pressed twice", async () => {
    let asked = 0
    const count = (request: Request) => void (asked += Number(request.url().endsWith("/v1/knowledge/ask")))
    page.on("request", count)
    model.scripts.push({ reply: replyOf(WEEKDAYS, APPROVED), size: 1, pause: 5 })
    await ask()
    await page.getByLabel("Question").press("Enter")
    await answer().getByRole("status").getByText("small-model", { exact: true }).waitFor()
    page.off("request", count)
    assert.strictEqual(asked, 1)
  })

  it("keeps what was shown if the connection breaks", async () => {
    console.problems.foresee(/ERR_/)
    model.scripts.push({ reply: replyOf(WEEKDAYS, APPROVED), size: 1, pause: 20 })
    await ask()
    await answer().getByText(WEEKDAYS[0], { exact: true }).waitFor()
    await page.context().setOffline(true)
    await console.stopServer()
    await answer().getByText("The rest of the answer is missing").waitFor()
    await answer().getByText(WEEKDAYS[0], { exact: true }).waitFor()
    await answer().getByRole("status").getByText("Not complete").waitFor()
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.context().setOffline(false)
    await console.startServer()
  })

  it("does not wait for the rest of an answer that has ended", async () => {
    const ask = "**/v1/knowledge/ask"
    const body = "event: delta\ndata: {\"text\": \"The beginning.\"}\n\n"
    await page.route(ask, (route) => route.fulfill({ contentType: "text/event-stream", body }))
    await fill(page, "Question", "What else is there?")
    await page.keyboard.press("Enter")
    await answer().getByText("The rest of the answer is missing").waitFor()
    await answer().getByText("The beginning.").waitFor()
    await page.unroute(ask)
  })

  it("says that the documents are quoted if the model fails", async () => {
    console.problems.foresee(/answered without the language model/)
    model.scripts.push({ status: 401 })
    await ask()
    await seen(page, /small-model does not accept the key.*, so the documents are quoted as they are/)
    await answer().getByRole("status").getByText("extractive", { exact: true }).waitFor()
  })
})
