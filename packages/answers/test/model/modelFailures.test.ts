import { WorkspaceId } from "@tributary/core/model/Id"
import { Effect, Fiber, Layer } from "effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import * as ModelAnswerer from "../../src/model/ModelAnswerer.ts"
import * as OpenAiLanguageModel from "../../src/model/OpenAiLanguageModel.ts"
import {
  answer,
  APPROVED,
  expectExtractive,
  KEY,
  logged,
  logger,
  useScriptedModel,
  WEEKDAYS
} from "../support/answering.ts"
import { bodyOf, replyOf, type Script } from "../support/scriptedModel.ts"

const model = useScriptedModel()

const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Asks a model that stops answering, and advances the time once it has the request. */
const afterSilence = (scripts: ReadonlyArray<Script>) => {
  model.server.scripts.push(...scripts)
  return model.withAnswerer({}, (answerer) =>
    Effect.gen(function*() {
      const fiber = yield* Effect.forkChild(answer(answerer))
      while (model.server.requests.length === 0) yield* turn
      while (fiber.pollUnsafe() === undefined) yield* Effect.andThen(TestClock.adjust("20 seconds"), turn)
      return yield* Fiber.join(fiber)
    }).pipe(Effect.provide(TestClock.layer())))
}

/** A stream of which the first event is an error. */
const event = (error: object): Script => ({ body: `data: ${JSON.stringify({ error })}\n\n`, type: "text/event-stream" })

describe("a failure is answered by quoting the documents", () => {
  test.each<readonly [string, ReadonlyArray<Script>, number, RegExp]>([
    ["500", [{ status: 500 }], 1, /not available/],
    ["503 with Retry-After", [{ status: 503, headers: { "retry-after": "1" } }], 1, /not available/],
    ["401", [{ status: 401 }], 1, /key \(status 401\)/],
    ["413", [{ status: 413 }], 1, /rejected the request \(status 413\)/],
    ["422", [{ status: 422 }, { status: 422 }], 2, /rejected the request \(status 422\)/],
    [
      "a redirection",
      [{ status: 307, headers: { location: "/v1/chat/completions" } }],
      1,
      /not available \(status 307\)/
    ],
    ["a filter of the server", [{ reply: "", finish: "content_filter" }], 1, /rejected/],
    ["a reply cut off before its first statement", [{ reply: "{\"statements\":[", finish: "length" }], 1, /cut off/],
    ["404", [{ status: 404 }], 1, /not available \(status 404\)/],
    ["400 with and without a schema", [{ status: 400 }, { status: 400 }], 2, /rejected/],
    ["429 beyond the deadline", [{ status: 429, headers: { "retry-after": "60" } }], 1, /overloaded/],
    ["garbage", [{ body: "<html>", type: "text/html" }], 1, /not available|cannot be read/],
    ["events that are no chunks", [{ body: "data: nonsense\n\n", type: "text/event-stream" }], 1, /cannot be read/],
    [
      "one object instead of events",
      [{ body: "{\"choices\":[{\"message\":{\"content\":\"{}\"}}]}", type: "application/json" }],
      1,
      /cannot be read/
    ],
    [
      "an error between the events",
      [event({ message: "x" })],
      1,
      /reported an error/
    ],
    ["prose", [{ reply: "I think on weekdays." }], 1, /cannot be read/],
    ["an unfinished thought", [{ reply: `<think>${replyOf(WEEKDAYS)}` }], 1, /cannot be read/],
    ["silence", [{ silent: true }], 1, /in time/],
    ["silence after a word", [{ reply: "{\"statements\":[", pause: 60_000 }], 1, /in time/],
    ["a torn connection", [{ reply: replyOf(WEEKDAYS), bytes: 300 }], 1, /not available/]
  ])("%s", async (_, scripts, requests, warning) => {
    const answered = await (/in time/.test(warning.source) ? afterSilence(scripts) : model.ask(scripts))
    expectExtractive(answered)
    expect(answered.outcome.warnings[0]).toMatch(warning)
    expect(model.server.requests).toHaveLength(requests)
  })

  test("an unreachable server", async () => {
    const answered = await Effect.runPromise(
      Effect.scoped(Effect.flatMap(ModelAnswerer.make({ model: "m", timeout: 500 }), (answerer) => answer(answerer)))
        .pipe(
          Effect.provide(Layer.merge(OpenAiLanguageModel.layer({ url: "http://127.0.0.1:1/v1", model: "m" }), logger))
        )
    )
    expectExtractive(answered)
  })

  test("a reply that never ends is cut off", async () => {
    const { outcome } = await model.ask([{ reply: " ".repeat(1_000), size: 1, pause: 20 }], { timeout: 100 })
    expect(outcome.model).toBe("extractive")
  })

  test("429 that may be retried at once is retried after a second all the same", async () => {
    const again = { status: 429, headers: { "retry-after": "0" } }
    const { outcome } = await model.ask([again, again, again], { timeout: 900 })
    expect([outcome.model, model.server.requests.length]).toEqual(["extractive", 1])
  })

  test("but 429 within the deadline is retried", async () => {
    const { outcome, texts } = await model.ask([
      { status: 429, headers: { "retry-after": "1" } },
      { reply: replyOf(WEEKDAYS) }
    ], { timeout: 60_000 })
    expect([outcome.model, texts]).toEqual(["m", [WEEKDAYS[0]]])
  })
})

/** What a model sends, without the cost of a socket: `pieces`, and then its end, or a torn connection. */
const sending = (pieces: ReadonlyArray<Uint8Array>, isTorn: boolean) =>
  HttpClient.make((request) =>
    Effect.sync(() => {
      let next = 0
      const body = new ReadableStream({
        pull: (controller) => {
          const piece = pieces[next++]
          if (piece !== undefined) controller.enqueue(piece)
          else if (isTorn) controller.error(new Error("torn"))
          else controller.close()
        }
      }, { highWaterMark: 0 })
      return HttpClientResponse.fromWeb(request, new Response(body))
    })
  )

const answerOver = (client: HttpClient.HttpClient) =>
  Effect.runPromise(
    Effect.scoped(Effect.flatMap(ModelAnswerer.make({ model: "m" }), (answerer) => answer(answerer))).pipe(
      Effect.provide(OpenAiLanguageModel.layerClient({ url: "http://model.test/v1", model: "m" })),
      Effect.provideService(HttpClient.HttpClient, client),
      Effect.provide(logger)
    )
  )

test("a reply that arrives one byte at a time is read as a whole, also within a character", async () => {
  const curly = ["Ada’s team approves them.", [1, "Ada’s team approves them."]] as const
  const bytes = Array.from(bodyOf(replyOf(WEEKDAYS, curly), 5), (byte) => Uint8Array.of(byte))
  const { outcome, texts } = await answerOver(sending(bytes, false))
  expect([texts, outcome.model, outcome.warnings]).toEqual([[WEEKDAYS[0], curly[0]], "m", []])
})

test("a reply may say when to reconnect, as events of servers do", async () => {
  const pieces = ["retry: 3000\n\n", "retry: 10\n"].map((text) => new TextEncoder().encode(text))
  const { outcome, texts } = await answerOver(sending([...pieces, bodyOf(replyOf(WEEKDAYS), 5)], false))
  expect([texts, outcome.model]).toEqual([[WEEKDAYS[0]], "m"])
})

test("a connection that breaks at any byte keeps the proved statements, or quotes the documents", async () => {
  const body = bodyOf(replyOf(WEEKDAYS, APPROVED), 60)
  const proved = new Set<number>()
  for (let bytes = 0; bytes < body.length; bytes += extent(17, 1)) {
    const answered = await answerOver(sending([body.subarray(0, bytes)], true))
    const { model, warnings } = answered.outcome
    if (model === "extractive") {
      expectExtractive(answered)
      proved.add(0)
    } else {
      expect(answered.texts).toEqual([WEEKDAYS[0], APPROVED[0]].slice(0, answered.texts.length))
      // Behind the end of its list nothing is missing.
      if (answered.texts.length === 1) {
        expect(warnings).toEqual(["model: m is not available: its answer is not complete"])
      }
      proved.add(answered.texts.length)
    }
  }
  expect([...proved].sort()).toEqual([0, 1, 2])
})

test.each([["length", "was cut off at the longest reply of its server"], ["content_filter", "rejected the request"]])(
  "a reply that ends early for its %s keeps the proved statements, with a warning",
  async (finish, reason) => {
    const whole = replyOf(WEEKDAYS, APPROVED)
    const { outcome, texts } = await model.ask([{ reply: whole.slice(0, whole.indexOf(APPROVED[0])), finish }])
    expect([texts, outcome.warnings]).toEqual([[WEEKDAYS[0]], [`model: m ${reason}: its answer is not complete`]])
  }
)

const OF_ANOTHER = { workspaceId: WorkspaceId.make("00000000-0000-7000-8000-000000000098") }

test("a model whose server sends comments meanwhile is not silent", async () => {
  model.server.scripts.push({ reply: replyOf(WEEKDAYS), comments: 11 })
  const { outcome } = await model.withAnswerer({ timeout: 1_000 }, (answerer) => answer(answerer))
  expect([outcome.model, outcome.warnings]).toEqual(["m", []])
})

test("a model whose server sends nothing but comments fails at twice its timeout, for every workspace", async () => {
  model.server.scripts.push({ reply: replyOf(WEEKDAYS), comments: 1_000 })
  const [first, second] = await model.withAnswerer(
    { timeout: 300 },
    (answerer) => Effect.all([answer(answerer), answer(answerer, OF_ANOTHER)])
  )
  expect(first!.outcome.warnings[0]).toContain("in time")
  expect(second!.outcome.warnings[0]).toContain("left alone")
})

describe("a model that failed", () => {
  test("gets no requests for a while, then one at a time", async () => {
    model.server.scripts.push({ status: 500 }, { reply: replyOf(WEEKDAYS), pause: 30 }, { reply: replyOf(WEEKDAYS) })
    await model.withAnswerer({ rest: 300 }, (answerer) =>
      Effect.gen(function*() {
        expect((yield* answer(answerer)).outcome.model).toBe("extractive")
        const rested = yield* answer(answerer)
        expect([rested.outcome.model, model.server.requests.length]).toEqual(["extractive", 1])
        expect(rested.outcome.warnings[0]).toContain("left alone")
        yield* TestClock.adjust(300)
        const both = yield* Effect.all([answer(answerer), answer(answerer)], { concurrency: 2 })
        expect(both.map(({ outcome }) => outcome.model).sort()).toEqual(["extractive", "m"])
        expect((yield* answer(answerer)).outcome.model).toBe("m")
      }).pipe(Effect.provide(TestClock.layer())))
  })

  test.each(
    [["if that is later", "60", 59_000], ["but for ten minutes at most", "86400", 599_000]] as const
  )("gets no requests before its Retry-After, %s", async (_, seconds, pause) => {
    model.server.scripts.push({ status: 429, headers: { "retry-after": seconds } }, { reply: replyOf(WEEKDAYS) })
    await model.withAnswerer({ rest: 300 }, (answerer) =>
      Effect.gen(function*() {
        for (
          const [wait, name, requests] of [[0, "extractive", 1], [pause, "extractive", 1], [1_000, "m", 2]] as const
        ) {
          yield* TestClock.adjust(wait)
          expect([(yield* answer(answerer)).outcome.model, model.server.requests.length]).toEqual([name, requests])
        }
      }).pipe(Effect.provide(TestClock.layer())))
  })

  test.each<readonly [string, ReadonlyArray<Script>]>([
    ["rejected one", [{ status: 400 }, { status: 400 }]],
    ["found one too long", [{ status: 413 }]],
    ["filtered one", [{ reply: "", finish: "content_filter" }]],
    ["cut off the reply to one", [{ reply: "{\"statements\":[", finish: "length" }]],
    ["found one too long in an event", [event({ message: "x", type: "BadRequestError", code: 400 })]]
  ])("still gets requests after it %s", async (_, scripts) => {
    model.server.scripts.push(...scripts, { reply: replyOf(WEEKDAYS) })
    const models = await model.withAnswerer({}, (answerer) => Effect.all([answer(answerer), answer(answerer)]))
    expect(models.map(({ outcome }) => outcome.model)).toEqual(["extractive", "m"])
  })

  test.each<readonly [string, Script]>([
    ["failed at a request, as a question may make it", { status: 500 }],
    ["failed at a request in an event", event({ message: "x", type: "server_error", code: null })],
    ["failed at a request in an event with a status", event({ message: "x", code: 500 })],
    ["replied in prose, as a passage may make it", { reply: "I think on weekdays." }],
    ["replied at endless length", { reply: " ".repeat(200_001), size: 100_000 }],
    ["replied for too long", { reply: " ".repeat(500), size: 1, pause: 20 }],
    ["broke the connection within a reply", { reply: replyOf(WEEKDAYS), bytes: 300 }]
  ])("gets none of the same workspace after it %s, but those of others", async (_, script) => {
    model.server.scripts.push(script, { reply: replyOf(WEEKDAYS) })
    const answers = await model.withAnswerer(
      { timeout: 1_000 },
      (answerer) => Effect.all([answer(answerer), answer(answerer), answer(answerer, OF_ANOTHER)])
    )
    expect(answers.map(({ outcome }) => outcome.model)).toEqual(["extractive", "extractive", "m"])
    expect(answers[1]!.outcome.warnings[0]).toContain("left alone")
  })

  test.each<readonly [string, Script]>([
    ["did not reply", { silent: true }],
    ["was not there", { status: 503 }],
    ["was not there in an event", event({ message: "x", code: "503" })],
    ["fell silent within a reply", { reply: "{\"statements\":[", pause: 60_000 }],
    ["sent a page instead of a reply", { body: "<html>", type: "text/html" }]
  ])("gets none after it %s", async (_, script) => {
    model.server.scripts.push(script, { reply: replyOf(WEEKDAYS) })
    const [, second] = await model.withAnswerer(
      { timeout: 500 },
      (answerer) => Effect.all([answer(answerer), answer(answerer, OF_ANOTHER)])
    )
    expect(second!.outcome.warnings[0]).toContain("left alone")
  })
})

describe("requests", () => {
  test("end when the client disconnects", async () => {
    const before = model.server.aborted
    model.server.scripts.push({ reply: " ".repeat(500), size: 1, pause: 20 })
    await model.withAnswerer({}, (answerer) =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(answer(answerer))
        while (model.server.requests.length === 0) yield* Effect.sleep(10)
        yield* Fiber.interrupt(fiber)
        while (model.server.aborted === before) yield* Effect.sleep(10)
      }))
    expect(model.server.aborted).toBe(before + 1)
  })

  test("of one workspace are limited, and one that waits too long quotes the documents", async () => {
    model.server.scripts.push({ reply: replyOf(WEEKDAYS), pause: 20 }, { reply: replyOf(WEEKDAYS), pause: 20 })
    const concurrency = { workspace: 1, process: 9 }
    await model.withAnswerer(
      { concurrency },
      (answerer) => Effect.all([answer(answerer), answer(answerer)], { concurrency: 2 })
    )
    expect(model.server.requests.map(({ open }) => open)).toEqual([1, 1])
    model.server.scripts.push({ reply: " ".repeat(250), size: 1, pause: 20 })
    const answers = await model.withAnswerer(
      { concurrency, timeout: 3_000 },
      (answerer) => Effect.all([answer(answerer), answer(answerer)], { concurrency: 2 })
    )
    expect(answers.map(({ outcome }) => outcome.warnings[0]).join()).toContain("too many questions")
  })

  test("of all workspaces are limited, too", async () => {
    const reply = { reply: replyOf(WEEKDAYS), pause: 20 }
    model.server.scripts.push(reply, reply, reply)
    const asked = [1, 2, 3].map((at) => ({ workspaceId: WorkspaceId.make(`00000000-0000-7000-8000-00000000000${at}`) }))
    await model.withAnswerer(
      { concurrency: { workspace: 9, process: 2 } },
      (answerer) => Effect.all(asked.map((question) => answer(answerer, question)), { concurrency: 3 })
    )
    expect(model.server.requests).toHaveLength(3)
    expect(Math.max(...model.server.requests.map(({ open }) => open))).toBe(2)
  })
})

test("logs contain no question, passage, statement or key", () => {
  expect(logged.length).toBeGreaterThan(5)
  for (const secret of [KEY, "deploys", "weekdays", "EUR", "Sundays"]) {
    expect(logged.join("\n").toLowerCase()).not.toContain(secret.toLowerCase())
  }
})
