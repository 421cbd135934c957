// Questions answered by a language model, from the door to the wire.
import { Stream } from "effect"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { type Answers, open, ValidationError } from "../src/open.ts"
import { printed } from "./support/printed.ts"

interface Message {
  readonly role: string
  readonly content: string
}

let answers: Answers
const requests: Array<ReadonlyArray<Message>> = []
/** What the model replies, first to last; 503 when there is nothing left. */
const replies: Array<string> = []

const server = createServer(async (request, response) => {
  const pieces = await request.toArray()
  requests.push((JSON.parse(Buffer.concat(pieces).toString()) as { messages: ReadonlyArray<Message> }).messages)
  const reply = replies.shift()
  if (reply === undefined) return response.writeHead(503).end()
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (const content of reply.match(/[^]{1,9}/g) ?? []) {
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
  }
  return response.end("data: [DONE]\n\n")
})

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  answers = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, model: "small", key: "secret" }
})
afterAll(() => new Promise((done) => server.close(done)))
beforeEach(() => {
  requests.length = 0
  replies.length = 0
})

const TEXT = "# Bicycles\n\nBicycles stand in the **basement**.\nThe code of its door is 4711.\n\nCars stand outside."

const handbook = async (options: { readonly answers?: Answers } = {}) => {
  const kb = await open({ storage: "memory", ...options })
  const workspace = await kb.createWorkspace({ name: "Handbook" })
  const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
  await workspace.ingest.text(connector_id, [{ title: "Garage", text: TEXT, content_type: "text/markdown" }])
  return { workspace, [Symbol.asyncDispose]: () => kb[Symbol.asyncDispose]() }
}

const reply = (text: string, quote: string): string =>
  JSON.stringify({ statements: [{ text, quotes: [{ passage: 1, quote }] }] })

describe("A question", () => {
  it("is answered by the model, each sentence with a citation", async () => {
    await using kb = await handbook({ answers })
    replies.push(reply("The code is 4711.", "The code of its door is 4711."))
    const answer = await kb.workspace.ask({ query: "What is the code of the bicycle garage?" })
    assert.deepInclude(answer, { response: "The code is 4711. [1]", answered: true, model: "small" })
    const [{ entity }] = answer.citations as [typeof answer.citations[number]]
    assert.deepInclude(entity, { marker: 1, quote: "The code of its door is 4711.", title: "Garage" })
    assert.strictEqual(TEXT.slice(entity.start, entity.end), entity.quote)
    assert.include(requests[0]?.at(-1)?.content ?? "", "Bicycles stand in the **basement**.")
  })

  it("that follows up is rewritten, and answered in the requested language", async () => {
    await using kb = await handbook({ answers })
    replies.push(
      "What is the code of the bicycle garage?",
      reply("Der Code ist 4711.", "The code of its door is 4711.")
    )
    const answer = await kb.workspace.ask({
      query: "And its code?",
      history: [{ role: "user", text: "Where do bicycles stand?" }, { role: "assistant", text: "In the basement." }],
      language: "de"
    })
    assert.strictEqual(answer.response, "Der Code ist 4711. [1]")
    assert.include(requests[1]?.at(-1)?.content ?? "", "<question>What is the code of the bicycle garage?</question>")
    assert.include(requests[1]?.[0]?.content ?? "", "German")
  })

  it("is answered by quoting if the model fails, with a warning", async () => {
    await using kb = await handbook({ answers })
    const answer = await kb.workspace.ask({ query: "Where do bicycles stand?" })
    assert.strictEqual(answer.model, "extractive")
    assert.deepStrictEqual(answer.warnings, [
      "model: small is not available (status 503), so the documents are quoted as they are"
    ])
  })

  it("ignores history and language without a model, with a warning", async () => {
    await using kb = await handbook()
    const history = [{ role: "user" as const, text: "Where do cars stand?" }]
    const { warnings = [] } = await kb.workspace.ask({ query: "Where do bicycles stand?", history, language: "de" })
    assert.deepStrictEqual(warnings.map((warning) => warning.split(":")[0]), ["history", "language"])
  })

  it.each([
    ["a language that is none", { language: "elvish" }],
    ["more than ten turns", { history: Array.from({ length: 11 }, () => ({ role: "user" as const, text: "x" })) }],
    ["more than 8,000 characters", {
      history: Array.from({ length: 2 }, () => ({ role: "user" as const, text: "x".repeat(4_001) }))
    }]
  ])("is refused with %s", async (_, part) => {
    await using kb = await handbook()
    const refused = await kb.workspace.ask({ query: "Where?", ...part }).catch((error: unknown) => error)
    assert.instanceOf(refused, ValidationError)
  })

  it("is answered by a host's own answerer", async () => {
    await using kb = await open({
      storage: "memory",
      answerer: {
        answer: () =>
          Stream.succeed({ _tag: "Outcome", model: "own", related: [], warnings: ["own: nothing"], truncated: false })
      }
    })
    const workspace = await kb.createWorkspace({ name: "Handbook" })
    const answer = await workspace.ask({ query: "Where do bicycles stand?" })
    assert.deepInclude(answer, { model: "own", answered: false, warnings: ["own: nothing"] })
  })
})

describe("docs/models.md", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url))
  const read = (path: string): string => readFileSync(`${root}/${path}`, "utf8")
  const shown = [...read("docs/models.md").matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, block]) => block)

  it("shows a model at an address, and its output", async () => {
    replies.push(
      "Which code opens the garage for bicycles?",
      reply("The code is 4711.", "The code of its door is 4711.")
    )
    const output = await printed("answers.ts", { ANSWERS_URL: String(answers.url) })
    assert.include(shown, read("docs/examples/answers.ts"))
    assert.include(shown, output)
  })

  it("shows a host's own model, and its output", async () => {
    const output = await printed("own-language-model.ts")
    assert.include(shown, read("docs/examples/own-language-model.ts"))
    assert.include(read("docs/models.md"), `It prints \`${output.trim()}\`.`)
  })

  it("shows a host's own answerer and embedder, and their output", async () => {
    const output = await printed("own-parts.ts")
    assert.include(shown, read("docs/examples/own-parts.ts"))
    assert.include(read("docs/models.md"), `It prints \`${output.trim()}\`.`)
  })
})
