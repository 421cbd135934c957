/** The order of what is found, as a reranking model sees it. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../../src/ask/Asks.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { Answerer } from "../../src/ports/Answerer.ts"
import { ModelUnavailable } from "../../src/ports/Embedder.ts"
import { Reranker, type RerankingModel } from "../../src/ports/Reranker.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { extractor } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

const serviceWith = (reranker: RerankingModel | null, answerer = ExtractiveAnswerer.layer) =>
  Tributary.layer.pipe(
    Layer.provide(answerer),
    Layer.provideMerge(Layer.fresh(Memory.layer)),
    Layer.provide(Layer.mergeAll(extractor, Layer.succeed(Reranker, reranker)))
  )

/** Prefers texts that have a word in capitals, and keeps what it was asked. */
const capitals = () => {
  const asked: Array<{ readonly query: string; readonly texts: ReadonlyArray<string> }> = []
  const model: RerankingModel = {
    model: "capitals",
    rerank: (query, texts) =>
      Effect.sync(() => {
        asked.push({ query, texts })
        return texts.map((text) => /[A-Z]{4}/.test(text) ? 1 : 0)
      })
  }
  return { asked, model }
}

const TEXTS = {
  first: "The garage opens at six. The garage is in the basement of the garage.",
  second: "The garage of the office opens at seven, and CLOSES at nine, every day of the week but on Sundays.",
  ticket: "APP-204 is about a garage."
}

const filled = Effect.gen(function*() {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const items = Object.entries(TEXTS).map(([external_id, text]) => ({ external_id, title: "Note", text }))
  yield* (yield* Ingest).text(workspace, connector_id, items)
  const search = yield* Search
  const found = (q: string, more: object = {}) =>
    Effect.map(search.search(id, { q, ...more }), ({ results, warnings }) => ({
      ids: results.map(({ external_id }) => external_id),
      scores: results.map(({ score }) => score),
      warnings
    }))
  const asks = yield* Asks
  return { found, ask: (query: string) => asks.ask(id, { query }) }
})

describe("A reranking model", () => {
  const { asked, model } = capitals()

  it.effect("orders the results of a search, with descending scores", () =>
    Effect.gen(function*() {
      const { found } = yield* filled
      const { ids, scores, warnings } = yield* found("garage")
      assert.strictEqual(ids[0], "second")
      assert.deepStrictEqual(scores, scores.toSorted((one, other) => other - one))
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(asked.map(({ query, texts }) => [query, texts.length]), [["garage", 3]])
      assert.include(asked[0]?.texts.join("|") ?? "", `Note\n\n${TEXTS.first}`)
      const pages = [yield* found("garage", { limit: 1 }), yield* found("garage", { limit: 2 })]
      assert.deepStrictEqual(pages.map((page) => page.ids), [ids.slice(0, 1), ids.slice(0, 2)])
    }).pipe(Effect.provide(serviceWith(model))))

  it.effect("reads the best fifty passages", () =>
    Effect.gen(function*() {
      const { id, source, workspace } = yield* connected({ tier: "pro" })
      const items = Array.from({ length: 60 }, (_, at) => ({ external_id: `${at}`, text: `Garage ${at} is open.` }))
      yield* (yield* Ingest).text(workspace, source, items)
      asked.length = 0
      const { count } = yield* (yield* Search).search(id, { q: "garage", limit: 100 })
      assert.strictEqual(count, 60)
      assert.deepStrictEqual(asked.map(({ texts }) => texts.length), [50])
    }).pipe(Effect.provide(serviceWith(model))))

  it.effect("is not called for keyword searches, and keeps exact names in front", () =>
    Effect.gen(function*() {
      const { found } = yield* filled
      asked.length = 0
      assert.strictEqual((yield* found("garage", { mode: "keyword" })).ids[0], "first")
      assert.lengthOf(asked, 0)
      assert.strictEqual((yield* found("APP-204 garage")).ids[0], "ticket")
      assert.lengthOf(asked, 1)
    }).pipe(Effect.provide(serviceWith(model))))

  it.effect("is always called for a question", () =>
    Effect.gen(function*() {
      const { ask } = yield* filled
      asked.length = 0
      yield* ask("When does the garage open?")
      assert.deepStrictEqual(asked.map(({ query }) => query), ["When does the garage open?"])
    }).pipe(Effect.provide(serviceWith(model))))

  /** Looks for a few passages, and then for many, as an answerer with a language model does. */
  const thorough = Layer.succeed(Answerer, {
    answer: ({ query }, source) =>
      Stream.fromEffect(Effect.gen(function*() {
        const [few, many] = [yield* source.search(query, 2), yield* source.search(query, 200)]
        assert.deepStrictEqual(many.passages.slice(0, 2), few.passages)
        assert.match(few.passages[0]!.text, /CLOSES/)
        return { _tag: "Outcome", model: "thorough", related: [], warnings: [], truncated: false } as const
      }))
  })

  it.effect("is called once for a question, however often its answerer searches", () =>
    Effect.gen(function*() {
      const { ask } = yield* filled
      asked.length = 0
      yield* ask("When does the garage open?")
      assert.lengthOf(asked, 1)
    }).pipe(Effect.provide(serviceWith(model, thorough))))

  const begun: Array<string> = []

  const failures: Readonly<Record<string, RerankingModel["rerank"]>> = {
    fails: () => Effect.fail(new ModelUnavailable({ cause: new Error("it answered 500") })),
    throws: () => {
      throw new Error("not connected")
    },
    "answers nothing": () => Effect.succeed(undefined as never),
    "answers what are no numbers": (_, texts) => Effect.succeed(texts.map(() => "0.9" as never)),
    "answers NaN": () => Effect.succeed([NaN, 1, NaN]),
    "answers one number for several texts": () => Effect.succeed([1])
  }

  for (const [how, rerank] of Object.entries(failures)) {
    it.effect(`that ${how} keeps the order, with a warning`, () =>
      Effect.gen(function*() {
        const { ask, found } = yield* filled
        const { ids, warnings } = yield* found("garage")
        assert.strictEqual(ids[0], "first")
        assert.lengthOf(warnings ?? [], 1)
        const answer = yield* ask("When does the garage open?")
        assert.include(answer.warnings?.join() ?? "", "reranking model does not answer")
      }).pipe(Effect.provide(serviceWith({ model: how, rerank }))))
  }

  it.effect("that never ends keeps the order, with a warning, after half a minute", () =>
    Effect.gen(function*() {
      const { ask, found } = yield* filled
      const calls = yield* Effect.forkChild(Effect.all([found("garage"), ask("When does the garage open?")], {
        concurrency: 2
      }))
      while (begun.length < 2) yield* Effect.yieldNow
      yield* TestClock.adjust(29_999)
      assert.isUndefined(calls.pollUnsafe())
      yield* TestClock.adjust(1)
      const [{ ids, warnings }, answer] = yield* Fiber.join(calls)
      assert.strictEqual(ids[0], "first")
      for (const given of [warnings, answer.warnings]) {
        assert.include(given?.join() ?? "", "reranking model does not answer")
      }
    }).pipe(Effect.provide(serviceWith({
      model: "endless",
      rerank: (query) =>
        Effect.suspend(() => {
          begun.push(query)
          return Effect.never
        })
    }))))

  it.effect("that kept a search waiting in vain is left alone for 15 seconds, and then called by one search", () => {
    const { asked, model } = capitals()
    let isStuck = true
    const stuck: RerankingModel["rerank"] = (query, texts) =>
      Effect.andThen(model.rerank(query, texts), isStuck ? Effect.never : model.rerank(query, texts))
    return Effect.gen(function*() {
      const { ask, found } = yield* filled
      const searched = Effect.map(found("garage"), ({ ids }) => ids[0])
      const late = (seconds: number) =>
        Effect.gen(function*() {
          const search = yield* Effect.forkChild(searched)
          while (asked.length === 0) yield* Effect.yieldNow
          yield* TestClock.adjust(`${seconds} seconds`)
          return yield* Fiber.join(search)
        })
      assert.strictEqual(yield* late(30), "first")
      asked.length = 0
      assert.strictEqual(yield* searched, "first")
      assert.include((yield* ask("When does the garage open?")).warnings?.join() ?? "", "does not answer")
      assert.deepStrictEqual(asked, [])
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* late(30), "first")
      assert.lengthOf(asked, 1)
      isStuck = false
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(yield* searched, "second")
      assert.strictEqual(yield* searched, "second")
    }).pipe(Effect.provide(serviceWith({ model: "stuck", rerank: stuck })))
  })
})
