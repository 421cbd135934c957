// Follow-ups to what a language model answered: what is sent with them, and what a person sees of it.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, vi } from "vitest"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { replyOf, startScriptedModel } from "../../../packages/answers/test/support/scriptedModel.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { go, heading, press, pressInDialog, seen, signIn, workspaceOf } from "./support/steps.ts"

const QUERY = "When do deploys run?"
const WEEKDAYS = "Deploys run on weekdays."
const FOLLOW_UP = "And who approves them?"
const APPROVED = "Ada approves them."

const FIRST = { reply: replyOf([WEEKDAYS, [1, "Deploys run on weekdays before 16:00."]]) }
const REWRITTEN = { reply: "Who approves deploys?" }
const SECOND = { reply: replyOf([APPROVED, [1, APPROVED]]) }

const HISTORY = [{ role: "user", text: QUERY }, { role: "assistant", text: `${WEEKDAYS} [1]` }]

interface Sent {
  readonly query: string
  readonly history?: ReadonlyArray<{ readonly role: string; readonly text: string }>
  readonly language?: string
}

describe.skipIf(chromiumPath === null)("A conversation with a language model", () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>
  let console: Console
  let page: Page
  let base: string
  /** What the page asked, in order. */
  let sent: Array<Sent> = []

  beforeAll(async () => {
    model = await startScriptedModel()
    const opened = await openSignedIn({ TRIBUTARY_ANSWERS_URL: model.url, TRIBUTARY_ANSWERS_MODEL: "small-model" })
    ;({ base, console, page } = opened)
    await console.operator.workspaces.update(workspaceOf(page), { limits: { ask: null } })
    const { connector_id } = await opened.client.connectors.create({ name: "Wiki", source_name: "wiki" })
    const text = "Deploys run on weekdays before 16:00. Ada approves them."
    await opened.client.ingest.text(connector_id, [{ title: "Deploys", text }])
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/knowledge/ask")) sent.push(request.postDataJSON())
    })
  })
  afterAll(async () => {
    await console?.close()
    await model?.close()
  })
  afterEach(() => {
    sent = []
    model.scripts.length = 0
    assert.deepStrictEqual(console.problems.take(), [])
  })

  const question = () => page.getByLabel("Question", { exact: true })
  const followUp = () => page.getByLabel("Follow-up", { exact: true })
  const answerTo = (query: string) => page.getByRole("region", { name: `Answer to ${query}`, exact: true })
  const isFrom = (query: string, name: string) =>
    answerTo(query).getByRole("status").getByText(name, { exact: true }).waitFor()

  const begin = async () => {
    model.scripts.push(FIRST)
    await page.goto(`${base}/playground`)
    await question().fill(QUERY)
    await question().press("Enter")
    await isFrom(QUERY, "small-model")
  }
  const follow = async (query = FOLLOW_UP) => {
    model.scripts.push(REWRITTEN, SECOND)
    await followUp().fill(query)
    await followUp().press("Enter")
    await isFrom(query, "small-model")
  }

  it("is sent with a follow-up, and read as a thread in which each answer has its sources", async () => {
    await begin()
    const asked = page.url()
    await follow()
    assert.deepStrictEqual(sent, [{ query: QUERY }, { query: FOLLOW_UP, history: HISTORY }])
    assert.include(model.requests.at(-2)?.body.messages.at(-1)?.content ?? "", `assistant: ${WEEKDAYS}`)
    const thread = page.getByRole("list", { name: "Conversation" })
    assert.deepStrictEqual(await thread.getByRole("heading", { level: 2 }).allTextContents(), [QUERY, FOLLOW_UP])
    for (const query of [QUERY, FOLLOW_UP]) {
      await answerTo(query).getByRole("list", { name: "Citations" }).getByRole("link", { name: "Deploys" }).waitFor()
    }
    // The next one can be typed at once, and the address is still that of the conversation.
    await followUp().and(page.locator(":focus")).waitFor()
    assert.strictEqual(await followUp().inputValue(), "")
    assert.strictEqual(page.url(), asked)
    assert.include((await page.locator("pre").last().textContent())!, `"history": [`)
    assert.strictEqual(await page.getByRole("button", { name: "MCP", exact: true }).count(), 0)
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.setViewportSize({ width: 360, height: 740 })
    assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth), 360)
    assert.deepStrictEqual(await axeViolations(page), [])
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it("is still there after a reload, after returning from a citation, and among earlier questions", async () => {
    await begin()
    await follow()
    const isShown = async () => {
      for (const query of [QUERY, FOLLOW_UP]) await isFrom(query, "small-model")
    }
    await page.reload()
    await isShown()
    await answerTo(FOLLOW_UP).getByRole("link", { name: "Deploys" }).click()
    await heading(page, "Deploys")
    // The document leads from its quote to the conversation.
    await page.getByRole("region", { name: "Cited in answers" }).getByRole("link", { name: FOLLOW_UP }).click()
    await isShown()
    await page.goto(`${base}/playground`)
    const before = page.getByRole("region", { name: "Asked before" })
    await before.getByText("1 follow-up", { exact: true }).waitFor()
    assert.strictEqual(await before.getByRole("listitem").count(), 1)
    await before.getByRole("link", { name: QUERY }).click()
    await isShown()
    assert.lengthOf(sent, 2)
    // It continues where it was left.
    await follow("Who else?")
    assert.lengthOf(sent.at(-1)?.history ?? [], 4)
  })

  it("begins again by a button, which takes along what is filled in", async () => {
    await begin()
    await followUp().fill("When can deploys run?")
    await press(page, "New conversation")
    await question().and(page.locator(":focus")).waitFor()
    assert.strictEqual(await question().inputValue(), "When can deploys run?")
    assert.strictEqual(await page.getByRole("list", { name: "Conversation" }).count(), 0)
    assert.strictEqual(await followUp().count(), 0)
    model.scripts.push(FIRST)
    await question().press("Enter")
    await isFrom("When can deploys run?", "small-model")
    assert.deepStrictEqual(sent.map(({ history }) => history), [undefined, undefined])
  })

  it("keeps a follow-up that is stopped, and asks before leaving discards one", async () => {
    await begin()
    model.scripts.push({ silent: true })
    await followUp().fill(FOLLOW_UP)
    await press(page, "Ask follow-up")
    await answerTo(FOLLOW_UP).getByText("Answering…").waitFor()
    // Stopped before, its script would be that of the next question.
    await vi.waitUntil(() => model.scripts.length === 0, { timeout: 150_000 })
    await press(page, "Stop")
    await answerTo(FOLLOW_UP).getByText("It was stopped before anything was answered.").waitFor()
    await answerTo(QUERY).getByText(WEEKDAYS, { exact: true }).waitFor()
    assert.strictEqual(await followUp().inputValue(), FOLLOW_UP)
    await go(page, "Sources")
    await page.getByRole("dialog", { name: "Leave without saving?" }).waitFor()
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })
    // What was stopped is no part of the conversation.
    await follow()
    assert.deepStrictEqual(sent.at(-1), { query: FOLLOW_UP, history: HISTORY })
    assert.strictEqual(await page.getByRole("list", { name: "Conversation" }).locator("> li").count(), 2)
    await followUp().fill("And on Fridays?")
    await go(page, "Sources")
    await pressInDialog(page, "Leave")
    await heading(page, "Sources")
  })

  it("keeps an unsent follow-up while other conversations are opened or begun, and asks before the page is left", async () => {
    await begin()
    await followUp().fill("And on Sundays?")
    model.scripts.push(FIRST)
    await question().fill("When do deploys end?")
    await question().press("Enter")
    await isFrom("When do deploys end?", "small-model")
    assert.strictEqual(await followUp().inputValue(), "")
    await press(page, "Search")
    await pressInDialog(page, "Stay")
    await page.getByRole("region", { name: "Asked before" }).getByRole("link", { name: QUERY, exact: true }).click()
    await isFrom(QUERY, "small-model")
    assert.strictEqual(await followUp().inputValue(), "And on Sundays?")
    await follow("And on Sundays?")
    await go(page, "Sources")
    await heading(page, "Sources")
  })

  it("keeps an unsent follow-up while the session ends, and forgets it when the person leaves or signs out", async () => {
    console.problems.foresee(/401/)
    await begin()
    await followUp().fill(FOLLOW_UP)
    await page.context().clearCookies()
    await press(page, "Ask follow-up")
    await heading(page, "Sign in")
    await page.goto(await console.signInLink())
    await isFrom(QUERY, "small-model")
    assert.strictEqual(await followUp().inputValue(), FOLLOW_UP)
    await go(page, "Sources")
    await pressInDialog(page, "Leave")
    await heading(page, "Sources")
    await page.goBack()
    await isFrom(QUERY, "small-model")
    assert.strictEqual(await followUp().inputValue(), "")

    const drafts = () => page.evaluate(() => Object.values(sessionStorage).join())
    await followUp().fill(FOLLOW_UP)
    await vi.waitUntil(async () => (await drafts()).includes(FOLLOW_UP))
    await press(page, "Sign out")
    await heading(page, "Sign in")
    assert.notInclude(await drafts(), FOLLOW_UP)
    await signIn(page, await console.signInLink())
  })

  it("keeps a question that is not asked yet while other pages are read, until it is asked or the person signs out", async () => {
    const typed = "Who approves deploys?"
    const drafts = () => page.evaluate(() => Object.values(sessionStorage).join())
    const leaveAndReturn = async () => {
      await go(page, "Sources")
      await heading(page, "Sources")
      await go(page, "Playground")
      await heading(page, "Playground")
    }
    await page.goto(`${base}/playground`)
    await question().fill(typed)
    await page.getByText("Filters and language", { exact: true }).click()
    await page.getByLabel("Metadata").fill("team=core")
    await leaveAndReturn()
    assert.strictEqual(await question().inputValue(), typed)
    // What narrows the question is to be seen, too.
    assert.isTrue(await page.getByLabel("Metadata").isVisible())
    assert.strictEqual(await page.getByLabel("Metadata").inputValue(), "team=core")
    await page.getByLabel("Metadata").fill("")
    await page.reload()
    assert.strictEqual(await question().inputValue(), typed)

    model.scripts.push(FIRST)
    await question().press("Enter")
    await isFrom(typed, "small-model")
    await leaveAndReturn()
    assert.strictEqual(await question().inputValue(), "")
    await question().fill(typed)
    model.scripts.push(FIRST)
    await press(page, "Ask as a job")
    await heading(page, "Ask jobs")
    // Or the job would take the script of another test.
    await vi.waitUntil(() => model.scripts.length === 0, { timeout: 150_000 })
    await go(page, "Playground")
    await heading(page, "Playground")
    assert.strictEqual(await question().inputValue(), "")

    await question().fill(typed)
    assert.include(await drafts(), typed)
    await press(page, "Sign out")
    await heading(page, "Sign in")
    assert.notInclude(await drafts(), typed)
    await signIn(page, await console.signInLink())
  })

  it("of any length is sent within the limits, without its oldest turns", async () => {
    await begin()
    await page.route("**/v1/knowledge/ask", async (route) => {
      const { query } = route.request().postDataJSON() as Sent
      const response = `${query} ${"Yes. ".repeat(300)}`
      const answer = { response, citations: [], truncated: false, answered: true, snapshot: null, model: "made-up" }
      await route.fulfill({
        contentType: "text/event-stream",
        body: `event: done\ndata: ${JSON.stringify(answer)}\n\n`
      })
    })
    for (let index = 1; index <= 7; index++) {
      await followUp().fill(`Is it ${index}?`)
      await followUp().press("Enter")
      await isFrom(`Is it ${index}?`, "made-up")
    }
    await page.unroute("**/v1/knowledge/ask")
    assert.lengthOf(sent[6]?.history ?? [], 10)
    await follow()
    const { history = [] } = sent.at(-1)!
    assert.deepStrictEqual(history.filter(({ role }) => role === "user").map(({ text }) => text), [
      "Is it 3?",
      "Is it 4?",
      "Is it 5?",
      "Is it 6?",
      "Is it 7?"
    ])
  })

  it("is answered in the chosen language, which is remembered", async () => {
    const language = () => page.getByLabel("Answer language")
    await begin()
    await page.getByText("Filters and language", { exact: true }).click()
    await language().selectOption({ label: "German · Deutsch" })
    await follow()
    await page.reload()
    assert.strictEqual(await language().inputValue(), "de")
    model.scripts.push(FIRST)
    await question().press("Enter")
    await isFrom(QUERY, "small-model")
    assert.include(model.requests.at(-1)?.body.messages[0]?.content ?? "", "German")
    await language().selectOption("")
    model.scripts.push(FIRST)
    await question().press("Enter")
    await isFrom(QUERY, "small-model")
    assert.deepStrictEqual(sent, [
      { query: QUERY },
      { query: FOLLOW_UP, history: HISTORY, language: "de" },
      { query: QUERY, language: "de" },
      { query: QUERY }
    ])
  })

  it("that the model cannot read for now says so, and follow-ups are offered until it can", async () => {
    console.problems.foresee(/answered without the language model/)
    await begin()
    model.scripts.push({ status: 401 })
    await followUp().fill(FOLLOW_UP)
    await followUp().press("Enter")
    await isFrom(FOLLOW_UP, "extractive")
    await seen(page, "history: it was not read, since no language model answers")
    await seen(page, /The last answer is not from the language model, so the conversation was not read/)
    assert.deepStrictEqual(await axeViolations(page), [])
    // The model is left alone for a while now.
    await page.goto(`${base}/playground`)
    await question().fill("Who approves deploys?")
    await question().press("Enter")
    await isFrom("Who approves deploys?", "extractive")
    // It may be back for the next question.
    await seen(page, /model: small-model .* so the documents are quoted as they are/)
    await seen(page, /The last answer is not from the language model/)
    await followUp().fill(FOLLOW_UP)
    await followUp().press("Enter")
    await isFrom(FOLLOW_UP, "extractive")
    assert.deepStrictEqual(sent.at(-1)?.history?.map(({ role }) => role), ["user", "assistant"])
  })
})
