/** A language model behind the real server, by each way to ask: what is shown of its reply, and what nowhere. */
import { createClient } from "@tributary/client"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { replyOf, type Script, startScriptedModel } from "../../../packages/answers/test/support/scriptedModel.ts"
import { overHttp } from "../../../packages/http/test/support/assistant.ts"
import { startCollector } from "../../../packages/node/test/support/collector.ts"
import { commandHere } from "./commandHere.ts"
import { eventually } from "./faults/support/nodes.ts"
import { api, type RunningServer, startServer } from "./serverProcess.ts"

const ADMIN_TOKEN = "operator-token-of-the-tests"
const MODEL_KEY = "sk-of-the-model"
const QUERY = "When do deploys run?"
const PROVED = ["Deploys run on weekdays.", [1, "Deploys run on weekdays before 16:00."]] as const
const INVENTED = ["Deploys run at night in Zanzibar.", [1, "Deploys run at night in Zanzibar."]] as const
const APPROVED = ["Ada approves them.", [1, "Ada approves them."]] as const

/** A reply with an invented statement, which its repair repeats. */
const WITH_INVENTED: ReadonlyArray<Script> = [{ reply: replyOf(PROVED, INVENTED) }, { reply: replyOf(INVENTED) }]

const SHOWN = {
  response: "Deploys run on weekdays. [1]",
  answered: true,
  model: "small",
  warnings: ["model: a statement of small could not be proved and was left out (quotes that are not in the passages)"]
}

const ASK = "/v1/knowledge/ask"

describe("A server with a language model", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let model: Awaited<ReturnType<typeof startScriptedModel>>
  let server: RunningServer
  beforeAll(async () => {
    ;[collector, model] = await Promise.all([startCollector(), startScriptedModel()])
    server = await startServer([], {
      TRIBUTARY_ANSWERS_URL: model.url,
      TRIBUTARY_ANSWERS_MODEL: "small",
      TRIBUTARY_ANSWERS_KEY: MODEL_KEY,
      TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN,
      TRIBUTARY_LOG_FORMAT: "json",
      TRIBUTARY_LOG_LEVEL: "trace",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url
    })
    const [, workspace] = /workspace +(\S+)/.exec(server.output.stdout)!
    // Without the rate limits of the free plan.
    await api({ url: server.url, key: ADMIN_TOKEN }, "PATCH", `/admin/v1/workspaces/${workspace}`, { tier: "pro" })
    const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Wiki",
      source_name: "wiki"
    })
    const items = [{ title: "Deploys", text: "Deploys run on weekdays before 16:00. Ada approves them." }]
    await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, { items })
  })
  beforeEach(() => {
    model.scripts.length = 0
    model.requests.length = 0
  })
  afterAll(async () => {
    await server?.stop()
    await model.close()
    await collector.close()
  })

  const post = (headers: Readonly<Record<string, string>> = {}, signal: AbortSignal | null = null) =>
    fetch(`${server.url}${ASK}`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify({ query: QUERY }),
      signal
    })

  const client = () => createClient({ baseUrl: server.url, apiKey: server.key })

  it("shows what is proved, its name, and what was left out and why, by each way to ask", async () => {
    const all: Array<string> = []
    const ask = async (show: () => Promise<unknown>): Promise<string> => {
      model.scripts.push(...WITH_INVENTED)
      const shown = await show()
      const text = typeof shown === "string" ? shown : JSON.stringify(shown)
      all.push(text)
      return text
    }
    await ask(async () => {
      const answer = await api(server, "POST", ASK, { query: QUERY })
      assert.deepInclude(answer, SHOWN)
      return answer
    })
    await ask(async () => (await post({ accept: "text/event-stream" })).text())
    await ask(async () => {
      const { job_id } = await api<{ job_id: string }>(server, "POST", ASK, { query: QUERY, async: true })
      const job = await api<{ readonly result: object }>(server, "GET", `${ASK}/jobs/${job_id}?wait=30`)
      assert.deepInclude(job.result, SHOWN)
      return job
    })
    await ask(async () => {
      const events = []
      for await (const event of client().knowledge.askStream({ query: QUERY })) events.push(event)
      assert.deepInclude(events.at(-1)?.data, SHOWN)
      return events
    })
    const printed = await ask(async () => {
      const { stderr, stdout } = await commandHere(["ask", QUERY], {
        TRIBUTARY_URL: server.url,
        TRIBUTARY_KEY: server.key
      })
      return stdout + stderr
    })
    for (const part of [SHOWN.response, ...SHOWN.warnings, "Answered by small."]) assert.include(printed, part)
    const assistant = await overHttp("v2", server.url, server.key)
    await ask(async () => {
      const { structuredContent, text } = await assistant.call("ask", { query: QUERY }, { onprogress: () => {} })
      assert.deepInclude(structuredContent, SHOWN)
      assert.include(text, SHOWN.warnings[0]!)
      return { structuredContent, text }
    })
    await assistant.close()
    assert.lengthOf(model.requests, 2 * all.length)
    const questions = await eventually("the questions are logged", async () => {
      const { questions } = await api<{ questions: ReadonlyArray<unknown> }>(server, "GET", "/v1/knowledge/questions")
      return questions.length === all.length ? JSON.stringify(questions) : undefined
    })
    const places = [...all, questions, await (await fetch(`${server.url}/metrics`)).text()]
    for (const text of places) assert.notInclude(text, "Zanzibar")
  })

  it("streams a statement while the model writes the next one", async () => {
    model.scripts.push({ reply: replyOf(PROVED, APPROVED), size: 4, pause: 20 })
    const times: Array<readonly [string, number]> = []
    for await (const { event } of client().knowledge.askStream({ query: QUERY })) times.push([event, performance.now()])
    assert.deepStrictEqual(times.map(([event]) => event), ["citation", "delta", "citation", "delta", "done"])
    assert.isAbove(times[3]![1] - times[1]![1], 100)
  })

  it.each([["the whole answer", {}], ["a stream", { accept: "text/event-stream" }]])(
    "aborts the model's request when a client that waits for %s disconnects",
    async (_, headers) => {
      const before = model.aborted
      model.scripts.push({ silent: true })
      const disconnects = new AbortController()
      const answer = post(headers, disconnects.signal).then((response) => response.text()).catch((error: Error) =>
        error
      )
      await eventually("the model is asked", async () => model.requests.length > 0)
      disconnects.abort()
      assert.instanceOf(await answer, Error)
      await eventually("its request is aborted", async () => model.aborted > before)
    }
  )

  it("is asked a question of its own for a follow-up, in the language that the client or the command names", async () => {
    model.scripts.push({ reply: QUERY }, { reply: replyOf(PROVED) }, { reply: replyOf(PROVED) })
    const history = [{ role: "user" as const, text: "Tell me about deploys." }]
    await client().knowledge.ask({ query: "And when?", history, language: "de" })
    await commandHere(["ask", QUERY, "--language", "fr"], { TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key })
    const [rewrite, first, second] = model.requests.map(({ body }) => body.messages.map(({ content }) => content))
    assert.include(rewrite!.at(-1), "user: Tell me about deploys.")
    assert.include(first!.at(-1), `<question>${QUERY}</question>`)
    assert.include(first![0], "German")
    assert.include(second![0], "French")
  })

  it("has logged and traced no question, passage, statement or key", async () => {
    await eventually(
      "the model's calls are traced",
      async () => collector.spans().some(({ name }) => name === "chat small")
    )
    assert.strictEqual(await server.stop(), 0)
    const written = collector.text() + server.output.stdout.replaceAll(server.key, "") + server.output.stderr
    assert.isAbove(written.length, 10_000)
    for (const secret of ["Zanzibar", "deploys run", "16:00", "Ada approves", MODEL_KEY, server.key]) {
      assert.notInclude(written.toLowerCase(), secret.toLowerCase())
    }
  })
})
