// What was asked: seen by day, rated, and answered by what somebody writes there and then.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, go, heading, press, pressInDialog, seen, workspaceOf } from "./support/steps.ts"

const ANSWERED = "Who approves a release?"
const UNANSWERED = "Where is the zeppelin moored?"
const HOSTILE = "<img src=x onerror=window.hit=1> where is it?"

describe.skipIf(chromiumPath === null)("The page Questions", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const row = (query: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("link", { name: query, exact: true }) })

  it("shows an empty state without questions", async () => {
    await page.goto(base)
    await go(page, "Questions")
    await heading(page, "Questions")
    await seen(page, "Nothing was asked yet")
    assert.deepStrictEqual(await axeViolations(page), [])
  })

  it("shows all questions and unanswered ones, as text, by day and as a file", async () => {
    const { connector_id } = await client.connectors.create({ name: "Wiki", source_name: "wiki" })
    await client.ingest.text(connector_id, [
      {
        external_id: "deploys",
        title: "Deploys",
        text: "Deploys run on weekdays. A release manager approves each one."
      }
    ])
    for (const query of [ANSWERED, UNANSWERED, HOSTILE]) await client.knowledge.ask({ query })
    await page.waitForFunction(() => document.querySelectorAll(".rows > li").length === 3)
    await row(ANSWERED).getByText("Answered", { exact: true }).waitFor()
    await row(UNANSWERED).getByText("Not answered", { exact: true }).waitFor()
    await row(HOSTILE).waitFor()
    assert.isUndefined(await page.evaluate(() => (globalThis as { readonly hit?: number }).hit))
    const table = page.getByRole("table", { name: "questions by day" })
    assert.deepStrictEqual(await table.getByRole("cell").allTextContents(), ["3", "2"])
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.getByLabel("Which").selectOption("unanswered")
    await seen(page, "2 questions")
    await page.reload()
    await seen(page, "2 questions")
    await fill(page, "Find a question", "zeppelin")
    await seen(page, "1 question")
  })

  it("is two clicks away from a document that answers an unanswered question", async () => {
    await page.goto(`${base}/questions?is=unanswered`)
    await press(page, `Add a document that answers ${UNANSWERED}`)
    assert.deepStrictEqual(await axeViolations(page), [])
    await pressInDialog(page, "Add document")
    await seen(page, "Write what answers the question.")
    await page.getByLabel("Text").fill("The zeppelin is moored at the old mast behind the tower.")
    await pressInDialog(page, "Add document")
    await seen(page, "It is stored")
    await go(page, "Ask again")
    await heading(page, "Playground")
    assert.strictEqual(await page.getByLabel("Question").inputValue(), UNANSWERED)
    await page.getByLabel("Question").press("Enter")
    await page.getByRole("list", { name: "Citations" }).getByText("moored at the old mast").first().waitFor()
  })

  it("stores feedback on an answer", async () => {
    await page.goto(`${base}/questions`)
    const useless = page.getByRole("button", { name: `The answer to ${ANSWERED} was not useful` })
    await useless.click()
    await row(ANSWERED).getByText("Not useful", { exact: true }).first().waitFor()
    await page.waitForFunction(() => document.querySelector("[aria-pressed=true]") !== null)
    await page.goto(`${base}/questions?is=useless`)
    await seen(page, "1 question")
  })

  it("deletes questions", async () => {
    await page.goto(`${base}/questions`)
    await press(page, "Delete all")
    await pressInDialog(page, "Delete all")
    await seen(page, "Nothing was asked yet")
  })

  it("stores a document that was refused at first, through the connector that was made for it", async () => {
    console.problems.foresee(/402/)
    for (const { connector_id } of await client.connectors.list()) await client.connectors.delete(connector_id)
    const limit = (doc_size: number | null) =>
      console.operator.workspaces.update(workspaceOf(page), { limits: { doc_size } })
    await limit(1)
    await client.knowledge.ask({ query: "Who feeds the ravens?" })
    await page.goto(`${base}/questions`)
    await press(page, "Add a document that answers Who feeds the ravens?")
    await page.getByLabel("Text").fill("The warden feeds the ravens.")
    await pressInDialog(page, "Add document")
    await seen(page, "It was not stored")
    await limit(null)
    await pressInDialog(page, "Add document")
    await seen(page, "It is stored")
    // Also if it was deactivated since.
    const [notes] = await client.connectors.list()
    await client.connectors.delete(notes!.connector_id)
    await page.reload()
    await press(page, "Add a document that answers Who feeds the ravens?")
    await page.getByLabel("Text").fill("The warden feeds the ravens at noon.")
    await pressInDialog(page, "Add document")
    await seen(page, "It is stored")
    assert.strictEqual((await client.connectors.list())[0]?.connector_id, notes!.connector_id)
  })
})
