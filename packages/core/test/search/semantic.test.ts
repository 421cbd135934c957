/** Finding by meaning, with a model that the test drives and time in the test's hands. */
import { assert, describe, it } from "@effect/vitest"
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Fiber, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../../src/ask/Asks.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Ingest } from "../../src/ingest/Ingest.ts"
import { KnowledgeContext } from "../../src/context/KnowledgeContext.ts"
import { OPERATOR } from "../../src/model/Principal.ts"
import { Embedder, type EmbeddingModel, ModelUnavailable } from "../../src/ports/Embedder.ts"
import { KnowledgeStore } from "../../src/ports/KnowledgeStore.ts"
import { Search } from "../../src/search/Search.ts"
import * as Tributary from "../../src/Tributary.ts"
import { gramModel } from "../support/gramModel.ts"
import { extractor, settle } from "../support/wholeService.ts"
import { connected } from "../support/services.ts"

const serviceWith = (model: EmbeddingModel | null) =>
  Tributary.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provideMerge(Memory.layer),
    Layer.provide(Layer.mergeAll(extractor, Layer.succeed(Embedder, model)))
  )

const workspace = Effect.gen(function*() {
  const { id, source: connector_id, workspace } = yield* connected({ tier: "pro" })
  const ingest = yield* Ingest
  const search = yield* Search
  const knowledge = yield* KnowledgeStore
  const push = (texts: Readonly<Record<string, string>>, metadata: Record<string, string> = {}) =>
    ingest.text(
      workspace,
      connector_id,
      Object.entries(texts).map(([external_id, text]) => ({ external_id, text, metadata }))
    )
  const answer = (q: string, more: object = {}) => search.search(id, { q, ...more })
  const found = (q: string, more: object = {}) =>
    Effect.map(answer(q, more), ({ results }) => results.map(({ external_id }) => external_id))
  const segments = Effect.map(knowledge.head(id), ({ snapshot }) => snapshot?.segments ?? [])
  return { workspace, id, connector_id, push, answer, found, segments, knowledge }
})

const TEXTS = {
  bikes: "Bicycles stand in the basement.",
  canteen: "Lunch is at noon.",
  ticket: "APP-204 blocks payments."
}

/** No word of it occurs in a text, in any form. */
const QUESTION = "motorcyclist basements"
const UNSEEN = "cyclist"

/** A workspace with texts whose vectors are made. */
const filled = Effect.gen(function*() {
  const made = yield* workspace
  yield* made.push(TEXTS)
  yield* settle(10)
  return made
})

const run = <A, E>(
  test: Effect.Effect<A, E, Layer.Success<ReturnType<typeof serviceWith>>>,
  model: EmbeddingModel | null
) => Effect.provide(test, serviceWith(model), { local: true })

describe("semantic search", () => {
  it.effect("finds a text without a word of the question, after those with its words", () =>
    run(
      Effect.gen(function*() {
        const { answer, found } = yield* filled
        assert.deepStrictEqual(yield* found(UNSEEN, { mode: "keyword" }), [])
        assert.strictEqual((yield* found(UNSEEN, { mode: "semantic" }))[0], "bikes")
        assert.strictEqual((yield* found(UNSEEN))[0], "bikes")
        assert.strictEqual((yield* found(QUESTION))[0], "bikes")
        assert.deepStrictEqual((yield* found("APP-204 cyclist bicycle"))[0], "ticket")
        assert.deepStrictEqual((yield* answer(UNSEEN)).warnings, [])
        const documents = yield* found("bicycles in the basement", { mode: "hybrid" })
        assert.strictEqual(new Set(documents).size, documents.length)
      }),
      gramModel().model
    ))

  it.effect("is refused without a model, and hybrid is keyword then", () =>
    run(
      Effect.gen(function*() {
        const { answer, found } = yield* filled
        assert.deepStrictEqual(yield* found(UNSEEN), [])
        assert.deepStrictEqual((yield* answer("bicycles")).warnings, [])
        assert.strictEqual((yield* Effect.flip(answer(UNSEEN, { mode: "semantic" })))._tag, "bad_request")
      }),
      null
    ))

  it.effect("applies filters, returns chunks, and pages through the same order", () =>
    run(
      Effect.gen(function*() {
        const { answer, found, push } = yield* filled
        yield* push({ far: "A bicycle shop." }, { team: "core" })
        yield* push(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`n${n}`, `Cycling tour number ${n}`])))
        yield* settle(10)
        for (const mode of ["semantic", "hybrid"]) {
          assert.deepStrictEqual(yield* found(UNSEEN, { mode, metadata: { team: "core" }, limit: 1 }), ["far"])
          const whole = yield* found("cycling bicycles", { mode, limit: 100 })
          const paged: Array<string> = []
          let cursor: string | null = null
          do {
            const page: Effect.Success<ReturnType<typeof answer>> = yield* answer("cycling bicycles", {
              mode,
              limit: 7,
              cursor
            })
            paged.push(...page.results.map(({ external_id }) => external_id))
            cursor = page.next_cursor
          } while (cursor !== null)
          assert.deepStrictEqual(paged, whole)
          assert.isAtLeast(whole.length, 31)
        }
        const { results } = yield* answer(UNSEEN, { mode: "semantic", group_by: "chunk", limit: 1 })
        assert.deepStrictEqual(results.map(({ chunk }) => chunk?.start), [0])
      }),
      gramModel().model
    ))

  it.effect("answers a question from the nearest passages", () => {
    const { model, state } = gramModel()
    return run(
      Effect.gen(function*() {
        const { id } = yield* filled
        const asks = yield* Asks
        const query = "Where do the bicycles stand?"
        const before = yield* asks.ask(id, { query })
        assert.strictEqual(before.citations[0]?.entity.external_id, "bikes")
        state.isDown = true
        assert.isTrue((yield* asks.ask(id, { query: "Is lunch at noon?" })).answered)
      }),
      model
    )
  })
})

describe("the vectors of a context", () => {
  it.effect("are computed once per text, through refreshes and rebuilds", () => {
    const { model, state } = gramModel()
    return run(
      Effect.gen(function*() {
        const { connector_id, found, id, push, segments, workspace } = yield* filled
        assert.strictEqual(state.embedded.length, 3)
        for (let n = 0; n < 6; n++) {
          yield* push({ [`more${n}`]: `Another text ${n}` })
          yield* settle(10)
        }
        yield* (yield* KnowledgeContext).configure(
          workspace,
          { temporal_settings: { start: null, end: null } },
          OPERATOR
        )
        yield* settle(10)
        assert.strictEqual(state.embedded.length, 9)
        assert.strictEqual((yield* found(UNSEEN, { mode: "semantic" })).length, 9)
        yield* push({ bikes: "Motorcycles stand in the yard." })
        yield* (yield* Documents).deleteByExternalId(id, connector_id, "canteen")
        yield* settle(10)
        assert.strictEqual(state.embedded.length, 10)
        assert.notInclude(yield* found("lunch at noon", { mode: "semantic" }), "canteen")
        yield* push({ one: "Keys hang behind the door.", other: "Keys hang behind the door." })
        yield* settle(10)
        assert.strictEqual(state.embedded.length, 11)
        const names = new Set((yield* segments).map(({ segment_id }) => segment_id))
        for (const { vectors } of yield* segments) {
          if (vectors !== undefined) assert.include([...names], vectors.segment_id)
        }
      }),
      model
    )
  })

  it.effect("are added later if the model is unavailable, and do not delay indexing", () => {
    const { model, state } = gramModel()
    return run(
      Effect.gen(function*() {
        state.isDown = true
        const { answer, found, id } = yield* filled
        assert.strictEqual((yield* (yield* KnowledgeContext).status(id)).pending_documents, 0)
        assert.deepStrictEqual(yield* found("bicycles"), ["bikes"])
        assert.match((yield* answer("bicycles")).warnings[0] ?? "", /does not answer/)
        const asked = Effect.flatMap(Asks, (asks) => asks.ask(id, { query: "Where do bicycles stand?" }))
        const unavailable = "embeddings: the embedding model does not answer, so passages are found by words only"
        assert.deepStrictEqual((yield* asked).warnings, [unavailable])
        assert.strictEqual((yield* Effect.flip(answer(UNSEEN, { mode: "semantic" })))._tag, "StorageUnavailable")
        state.isDown = false
        assert.match((yield* answer("bicycles")).warnings[0] ?? "", /3 passages are found by words only/)
        yield* TestClock.adjust("1 minute")
        yield* settle(10)
        assert.strictEqual((yield* found(UNSEEN))[0], "bikes")
        assert.deepStrictEqual((yield* answer(UNSEEN)).warnings, [])
        assert.isUndefined((yield* asked).warnings)
      }),
      model
    )
  })

  it.effect.each<{ readonly how: string; readonly failing: EmbeddingModel["embed"]; readonly reason?: RegExp }>([
    {
      how: "throws",
      failing: () => {
        throw new Error("not connected")
      }
    },
    { how: "rejects a promise", failing: () => Effect.promise(() => Promise.reject(new Error("not connected"))) },
    {
      how: "returns a promise",
      failing: () => Promise.reject(new Error("not connected")) as never,
      reason: /no effect: Effect\.tryPromise/
    },
    { how: "answers nothing", failing: () => Effect.succeed(null as never), reason: /TypeError/ },
    {
      how: "answers no vector for a text",
      failing: (texts) => Effect.succeed(texts.map(() => null as never)),
      reason: /TypeError/
    },
    {
      how: "answers vectors of no numbers",
      failing: (texts) => Effect.succeed(texts.map(() => [])),
      reason: /was to return 1 vectors, finite/
    }
  ])("are added later if a host's own model $how, which the log says, and search finds by words", (
    { failing, reason = /not connected/ }
  ) => {
    const { model } = gramModel()
    let isDown = true
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    const own: EmbeddingModel = {
      ...model,
      dimensions: null,
      embed: (texts, purpose) => isDown ? failing(texts, purpose) : model.embed(texts, purpose)
    }
    return run(
      Effect.gen(function*() {
        const { answer, found } = yield* filled
        assert.deepStrictEqual(yield* found("bicycles"), ["bikes"])
        assert.match((yield* answer("bicycles")).warnings[0] ?? "", /does not answer/)
        assert.match(lines.join("\n"), reason)
        isDown = false
        assert.match((yield* answer("bicycles")).warnings[0] ?? "", /3 passages are found by words only/)
        yield* TestClock.adjust("1 minute")
        yield* settle(10)
        assert.strictEqual((yield* found(UNSEEN))[0], "bikes")
      }),
      own
    ).pipe(Effect.provide(logger))
  })

  it.effect.each<{ readonly what: string; readonly broken: (vector: ReadonlyArray<number>) => Array<Array<number>> }>([
    { what: "too few", broken: () => [] },
    { what: "too short ones", broken: (vector) => [vector.slice(1)] },
    { what: "zeros", broken: (vector) => [vector.map(() => 0)] },
    { what: "what is no number", broken: (vector) => [vector.map(() => Number.NaN)] }
  ])("are added later if the model returns $what, which the log says", ({ broken }) => {
    const { model } = gramModel()
    let isBroken = true
    const own: EmbeddingModel = {
      ...model,
      embed: (texts, purpose) =>
        Effect.map(
          model.embed(texts, purpose),
          (vectors) => isBroken ? vectors.flatMap((vector) => broken(Array.from(vector))) : vectors
        )
    }
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
    return run(
      Effect.gen(function*() {
        const { found } = yield* filled
        assert.deepStrictEqual(yield* found("bicycles"), ["bikes"])
        assert.match(
          lines.join("\n"),
          /the embedding model grams was to return 3 vectors of 512 numbers, finite and not all zero/
        )
        isBroken = false
        yield* TestClock.adjust("1 minute")
        yield* settle(10)
        assert.strictEqual((yield* found(UNSEEN))[0], "bikes")
      }),
      own
    ).pipe(Effect.provide(logger))
  })

  it.effect("of all other texts are computed if the model refuses one, in its workspace and in others", () => {
    const { model } = gramModel()
    const isLong = (texts: ReadonlyArray<string>) => texts.some((text) => text.includes("too long"))
    const own: EmbeddingModel = {
      ...model,
      embed: (texts, purpose) =>
        isLong(texts) ? Effect.fail(new ModelUnavailable({ cause: "it answered 413" })) : model.embed(texts, purpose)
    }
    return run(
      Effect.gen(function*() {
        const one = yield* workspace
        const names = Array.from({ length: 20 }, (_, n) => `n${n}`)
        yield* one.push(
          Object.fromEntries(names.map((name, n) => [name, n === 3 ? "It is too long." : `Tour ${n} cycles`]))
        )
        yield* settle(30)
        const other = yield* filled
        yield* settle(120)
        assert.strictEqual((yield* other.found(UNSEEN))[0], "bikes")
        assert.deepStrictEqual((yield* other.answer(UNSEEN)).warnings, [])
        const { results, warnings } = yield* one.answer(UNSEEN, { mode: "semantic", limit: 100 })
        assert.sameMembers(results.map(({ external_id }) => external_id), names.filter((name) => name !== "n3"))
        assert.match(warnings[0] ?? "", /^mode: 1 passage is found by words only/)
      }),
      own
    )
  })

  it.effect("are not waited for twice if the model hangs", () => {
    const { model, state } = gramModel()
    return run(
      Effect.gen(function*() {
        state.delay = 3_600_000
        const { id, push } = yield* filled
        const pending = Effect.map(
          Effect.flatMap(KnowledgeContext, (context) => context.status(id)),
          ({ pending_documents }) => pending_documents
        )
        yield* push({ late: "A late text" })
        yield* Effect.repeat(TestClock.adjust("1 second"), { times: 35 })
        assert.strictEqual(yield* pending, 0)
        yield* push({ later: "A later text" })
        assert.strictEqual(yield* pending, 1)
        yield* settle(10)
        assert.strictEqual(yield* pending, 0)
      }),
      model
    )
  })

  it.effect("are computed in batches if the model is slow, and kept", () => {
    const { model, state } = gramModel()
    return run(
      Effect.gen(function*() {
        Object.assign(state, { batch: 1, delay: 3_000 })
        const { found, id, push, segments } = yield* workspace
        yield* push(Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`n${n}`, `Number ${n} cycles`])))
        yield* Effect.repeat(TestClock.adjust("1 second"), { times: 16 })
        const missing = (yield* segments).flatMap(({ vectors }) => vectors === undefined ? [] : [vectors.missing])
        assert.deepStrictEqual(missing, [6])
        yield* push({ late: "A late text" })
        yield* Effect.repeat(TestClock.adjust("1 second"), { times: 60 })
        assert.strictEqual((yield* (yield* KnowledgeContext).status(id)).pending_documents, 0)
        assert.strictEqual(state.embedded.length, 11)
        const search = yield* Effect.forkChild(found("cyclist", { mode: "semantic", limit: 100 }), {
          startImmediately: true
        })
        yield* TestClock.adjust("3 seconds")
        assert.strictEqual((yield* Fiber.join(search)).length, 11)
      }),
      model
    )
  })

  it.effect("of another model are computed again, and until then keyword search works", () => {
    const { model, state } = gramModel()
    return run(
      Effect.gen(function*() {
        const { answer, found, segments } = yield* filled
        state.name = "other"
        const { results, warnings } = yield* answer("bicycles")
        assert.deepStrictEqual(results.map(({ external_id }) => external_id), ["bikes"])
        assert.match(warnings[0] ?? "", /3 passages/)
        // The search has requested them.
        yield* settle(10)
        assert.strictEqual((yield* found(UNSEEN))[0], "bikes")
        assert.strictEqual(state.embedded.length, 6)
        const models = (yield* segments).flatMap(({ vectors }) => vectors === undefined ? [] : [vectors.model])
        assert.deepStrictEqual(models, ["other"])
      }),
      model
    )
  })
})
