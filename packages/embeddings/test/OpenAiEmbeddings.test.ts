/** The adapter against a server that answers well, late, wrongly, or not. */
import { Embedder, type ModelUnavailable } from "@tributary/core/ports/Embedder"
import { Effect, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { inspect } from "node:util"
import { assert, describe, it } from "vitest"
import { layer, make, type Options } from "../src/OpenAiEmbeddings.ts"
import { gramVector } from "../../core/test/support/gramModel.ts"
import { type Answer, json, properly, startModel } from "./support/modelServer.ts"

const KEY = "sk-a-secret-of-nobody"

const modelAt = (url: string, more: Partial<Options> = {}) =>
  Effect.runSync(
    Effect.provide(make({ url, model: "letters", minimumDelay: 1, ...more }), FetchHttpClient.layer)
  )

const embed = (url: string, texts: ReadonlyArray<string>, more?: Partial<Options>) =>
  Effect.runPromise(modelAt(url, more).embed(texts, "document"))

const failing = (url: string, more?: Partial<Options>): Promise<ModelUnavailable> =>
  Effect.runPromise(Effect.flip(modelAt(url, more).embed(["one", "two"], "document")))

const status = (code: number, headers?: Record<string, string>): Answer => (response) =>
  json(response, code, { error: { message: `No ${KEY}` } }, headers)

const vectors = (data: ReadonlyArray<unknown>): Answer => (response) => json(response, 200, { data })

const silent: Answer = () => {}
const cut: Answer = (response) => response.destroy()

describe("an OpenAI-compatible embedding model", () => {
  it("is called with the key, and returns vectors in the order of the texts", async () => {
    await using model = await startModel()
    const texts = ["bicycles", "lunch", "payments", "garages", "launch"]
    const answer = await embed(model.url, texts, { key: Redacted.make(KEY) })
    assert.deepStrictEqual(answer, texts.map((text) => gramVector(text)))
    assert.deepStrictEqual(model.asked, [{
      path: "POST /v1/embeddings",
      authorization: `Bearer ${KEY}`,
      body: { model: "letters", input: texts, encoding_format: "float" }
    } as unknown])
  })

  it("is never called at another address that it redirects to, which nobody chose", async () => {
    await using other = await startModel()
    await using model = await startModel(status(307, { location: `${other.url}/embeddings` }))
    const embedder = Effect.flatMap(Embedder, (embedder) => embedder!.embed(["bicycles"], "document"))
    const failure = await Effect.runPromise(
      Effect.flip(Effect.provide(embedder, layer({ url: model.url, model: "letters", minimumDelay: 1 })))
    )
    assert.match(inspect(failure), /307/)
    assert.deepStrictEqual(other.asked, [])
  })

  it("is found at the address of embeddings, too, and gets dimensions without a key", async () => {
    await using model = await startModel()
    const [vector] = await embed(`${model.url}/embeddings/`, ["bicycles"], { dimensions: 12 })
    assert.strictEqual(vector?.length, 12)
    const [asked] = model.asked
    assert.deepStrictEqual([asked?.path, asked?.authorization, asked?.body.dimensions], [
      "POST /v1/embeddings",
      undefined,
      12
    ])
    assert.strictEqual(modelAt(model.url, { dimensions: 12 }).model, "letters@12")
  })

  it("gets each text with the prefix of its purpose, and another prefix changes the vectors", async () => {
    await using model = await startModel()
    const embeddings = modelAt(model.url, { documentPrefix: "document: ", queryPrefix: "query: " })
    await Effect.runPromise(embeddings.embed(["bicycles"], "document"))
    await Effect.runPromise(embeddings.embed(["bicycles"], "query"))
    assert.deepStrictEqual(model.asked.map(({ body }) => body.input), [["document: bicycles"], ["query: bicycles"]])
    assert.notStrictEqual(embeddings.model, modelAt(model.url).model)
  })

  it("is called again if it is busy, broken, silent or unreachable", async () => {
    const troubles: ReadonlyArray<Answer> = [status(429), status(500), status(503), silent, cut]
    for (const trouble of troubles) {
      await using model = await startModel(trouble)
      // Only silence takes as long as the timeout.
      const attemptTimeout = trouble === silent ? 2_000 : 60_000
      assert.strictEqual((await embed(model.url, ["one"], { attemptTimeout })).length, 1)
      assert.strictEqual(model.asked.length, 2)
    }
  })

  it("is not called before its Retry-After", async () => {
    await using model = await startModel(status(429, { "retry-after": "1" }))
    const began = performance.now()
    await embed(model.url, ["one"])
    assert.isAtLeast(performance.now() - began, 1_000)
    await using away = await startModel(status(429, { "retry-after": "3600" }))
    assert.match(String((await failing(away.url)).cause), /answered 429/)
    assert.strictEqual(away.asked.length, 1)
  })

  it("is given up after four attempts", async () => {
    await using model = await startModel(...Array.from({ length: 9 }, () => status(500)))
    assert.match(String((await failing(model.url)).cause), /answered 500/)
    assert.strictEqual(model.asked.length, 4)
  })

  it("is not called again if it refuses, or returns an unusable answer", async () => {
    const one = { index: 0, embedding: [1, 2, 3] }
    const other = { index: 1, embedding: [1, 2, 3] }
    const uses: ReadonlyArray<readonly [Answer, RegExp]> = [
      [status(400), /answered 400/],
      [status(401), /answered 401/],
      [status(404), /answered 404/],
      [status(204), /answered 204/],
      [(response) => response.end("<html>"), /no JSON/],
      [(response) => json(response, 200, { vectors: [] }), /holds no vectors/],
      [vectors([one]), /1 vectors for 2 texts/],
      [vectors([one, other, { index: 2, embedding: [1, 2, 3] }]), /3 vectors for 2 texts/],
      [vectors([one, one]), /2 vectors for 2 texts/],
      [vectors([one, { index: 1, embedding: [1, 2] }]), /2 numbers instead of 3/],
      [vectors([one, { index: 1, embedding: [1, null, 3] }]), /holds no vectors/],
      [vectors([{ index: 0, embedding: [] }, { index: 1, embedding: [] }]), /0 numbers/]
    ]
    for (const [answer, reason] of uses) {
      await using model = await startModel(answer)
      assert.match(String((await failing(model.url)).cause), reason)
      assert.strictEqual(model.asked.length, 1)
    }
    await using model = await startModel(vectors([one, other]))
    assert.match(String((await failing(model.url, { dimensions: 4 })).cause), /3 numbers instead of 4/)
  })

  it("returns vectors of one length while it is open", async () => {
    await using server = await startModel(properly, vectors([{ index: 0, embedding: [1, 2] }]))
    const model = modelAt(server.url)
    await Effect.runPromise(model.embed(["one"], "query"))
    const failure = await Effect.runPromise(Effect.flip(model.embed(["two"], "query")))
    assert.match(String(failure.cause), /2 numbers instead of 512/)
  })

  it("reveals neither key nor text in an error", async () => {
    for (const trouble of [status(401), cut]) {
      await using model = await startModel(...Array.from({ length: 4 }, () => trouble))
      const failure = await failing(model.url, { key: Redacted.make(KEY) })
      const shown = [String(failure), JSON.stringify(failure), inspect(failure, { depth: 20 })].join("\n")
      assert.notInclude(shown, KEY)
      assert.notInclude(shown, "two")
    }
  })
})
