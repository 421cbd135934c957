// How often a request is sent, and after which waits, to the millisecond: the clock and the dice are the test's.
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ingestAll } from "../src/ingestAll.ts"
import { Override, type Retry } from "../src/Policy.ts"
import { untilJobEnds } from "../src/waiting.ts"
import { scripted, settled } from "./support/scripted.ts"
import { SETTINGS } from "./support/stub.ts"

const coded = (status: number, error_code: string, headers: Readonly<Record<string, string>> = {}) =>
  Response.json({ error_code, message: "m", details: null }, { status, headers })

const busy = (headers?: Readonly<Record<string, string>>) => coded(503, "service_unavailable", headers)

const limited = (retryAfter: number) =>
  new Response(
    JSON.stringify({
      type: "https://x/errors/rate_limit_exceeded",
      title: "Too Many Requests",
      status: 429,
      detail: "d",
      error_code: "rate_limit_exceeded",
      endpoint: "search",
      limit: 20,
      remaining: 0,
      window_seconds: 60,
      retry_after: retryAfter
    }),
    {
      status: 429,
      headers: {
        "content-type": "application/problem+json",
        "retry-after": String(retryAfter),
        "ratelimit-limit": "20",
        "ratelimit-remaining": "0",
        "ratelimit-reset": String(retryAfter),
        "ratelimit-policy": "20;w=60"
      }
    }
  )

const settings = () => Response.json(SETTINGS)

const failing = <A, E>(call: Effect.Effect<A, E>, dice?: number) => Effect.flip(settled(call, dice))

describe("A request", () => {
  it.effect("waits longer every time, up to the total maximum", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([busy], { attempts: 6, minimumDelay: 100, maximumWait: 700 })
      const error = yield* failing(api.knowledge.getSettings())
      assert.strictEqual(error._tag, "service_unavailable")
      assert.deepStrictEqual(moments, [0, 100, 300, 700])
    }))

  it.effect("waits at least half as long, with jitter", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([busy, busy, settings])
      assert.deepStrictEqual(yield* settled(api.knowledge.getSettings(), 0), SETTINGS)
      assert.deepStrictEqual(moments, [0, 125, 375])
    }))

  it.effect("waits for the Retry-After of a 429, and a little longer to spread clients", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([() => limited(7), () => limited(2), settings], { minimumDelay: 200 })
      yield* settled(api.knowledge.getSettings(), 0.5)
      assert.deepStrictEqual(moments, [0, 7_150, 7_150 + 2_300])
    }))

  it.effect("waits until the date in a 503", () =>
    Effect.gen(function*() {
      const until = () => busy({ "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" })
      yield* TestClock.setTime(4_000)
      const { api, moments } = yield* scripted([until, settings], { minimumDelay: 0 })
      yield* settled(api.knowledge.getSettings())
      assert.deepStrictEqual(moments, [4_000, 9_000])
    }))

  it.effect("ignores an invalid Retry-After", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([() => busy({ "retry-after": "soon" }), settings], { minimumDelay: 100 })
      yield* settled(api.knowledge.getSettings())
      assert.deepStrictEqual(moments, [0, 100])
    }))

  it.effect("does not start a wait beyond the timeout", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([() => limited(60)], { timeout: "30 seconds" })
      const error = yield* failing(api.knowledge.search({ payload: { q: "q" } }))
      assert.strictEqual(error._tag, "rate_limit_exceeded")
      assert.deepStrictEqual(moments, [0])
    }))

  it.effect("waits 10 seconds at most by default, and reports the requested time", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([() => limited(11)])
      const error = yield* failing(api.knowledge.search({ payload: { q: "q" } }))
      assert.deepInclude(error, { _tag: "rate_limit_exceeded", retry_after: 11 })
      assert.deepStrictEqual(moments, [0])
      const again = yield* scripted([() => limited(6)], { minimumDelay: 0 })
      yield* failing(again.api.knowledge.getSettings())
      assert.deepStrictEqual(again.moments.map((moment) => moment - again.moments[0]!), [0, 6_000])
      const patient = yield* scripted([() => limited(11), settings], { maximumWait: "20 seconds", minimumDelay: 0 })
      yield* settled(patient.api.knowledge.getSettings())
      assert.strictEqual(patient.moments[1]! - patient.moments[0]!, 11_000)
    }))

  it.effect("with a batch of many items waits for the end of a rate window", () =>
    Effect.gen(function*() {
      const gone = () => coded(404, "client_not_found")
      const { context, moments } = yield* scripted([() => limited(60), gone], { minimumDelay: 0 })
      const push = ingestAll("c", Stream.make({ external_id: "a", text: "t" }), { form: "text" })
      yield* failing(Effect.provide(push, context))
      assert.deepStrictEqual(moments, [0, 60_000])
    }))

  it.effect("reports each wait before it starts, and nothing else", () =>
    Effect.gen(function*() {
      const retries: Array<Retry> = []
      const onRetry = (retry: Retry) => void retries.push(retry)
      const { api } = yield* scripted([() => limited(7), () => "lost", busy, busy], { minimumDelay: 200, onRetry })
      yield* failing(api.knowledge.getSettings(), 0.5)
      assert.deepStrictEqual(retries, [
        { attempt: 1, delay: 7_150, status: 429, retryAfter: 7 },
        { attempt: 2, delay: 300, status: null, retryAfter: null },
        { attempt: 3, delay: 600, status: 503, retryAfter: null }
      ])
    }))

  it.effect("counts an attempt without an answer as lost, and times out", () =>
    Effect.gen(function*() {
      const policy = { attemptTimeout: 1_000, timeout: 2_500, minimumDelay: 100 }
      const { api, moments } = yield* scripted([() => "silent"], policy)
      const fiber = yield* Effect.forkChild(Effect.flip(settled(api.knowledge.getSettings())))
      const error = yield* Fiber.join(fiber)
      assert.strictEqual(error._tag, "HttpClientError")
      // 1000 + 100, 1000 + 200, and 200 are left for the third.
      assert.deepStrictEqual(moments, [0, 1_100, 2_300])
    }))

  it.effect("that has a long time has half of it for an attempt, and all that is left for the last one", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([() => "silent"], { attempts: 3, minimumDelay: 0 })
      const during = (call: Effect.Effect<unknown, unknown>) => Effect.timed(Effect.flip(call))
      const longer = Effect.provideService(api.knowledge.getSettings(), Override, { timeout: "10 minutes" })
      const [took] = yield* settled(during(longer))
      assert.deepStrictEqual(moments.splice(0), [0, 300_000])
      assert.strictEqual(Duration.toMillis(took), 600_000)
      const once = Effect.provideService(api.knowledge.getSettings(), Override, { attempts: 1, timeout: "10 minutes" })
      assert.strictEqual(Duration.toMillis((yield* settled(during(once)))[0]), 600_000)
      assert.lengthOf(moments.splice(0), 1)
      const create = api.connectors.createConnector({ payload: { name: "n", source_name: "s" } })
      assert.strictEqual(Duration.toMillis((yield* settled(during(create)))[0]), 120_000)
      assert.lengthOf(moments, 1)
    }))

  it.effect("is sent once if it is a question, however long the model takes, unless the host limits an attempt", () =>
    Effect.gen(function*() {
      const question = { payload: { query: "q" } }
      const { api, moments } = yield* scripted([() => "silent"])
      yield* Effect.flip(settled(api.knowledge.ask(question)))
      assert.lengthOf(moments, 1)
      const limited = yield* scripted([() => "silent"], { attemptTimeout: 50_000, attempts: 2 })
      yield* Effect.flip(settled(limited.api.knowledge.ask(question)))
      assert.lengthOf(limited.moments, 2)
    }))

  it.effect("that waits for the end of a job gives the service twice the time for which it may hold its answer", () =>
    Effect.gen(function*() {
      const impatient = { attemptTimeout: 1_000, attempts: 2, minimumDelay: 0 }
      const { context, moments } = yield* scripted([() => "silent"], impatient)
      yield* failing(Effect.provide(untilJobEnds("a"), context))
      assert.deepStrictEqual(moments, [0, 60_000])
    }))

  it.effect("can have a retry policy of its own", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([busy])
      yield* failing(Effect.provideService(api.knowledge.getSettings(), Override, { attempts: 1 }))
      assert.deepStrictEqual(moments, [0])
    }))

  for (const status of [400, 401, 402, 403, 404, 405, 409, 413, 415, 418, 422, 500, 501]) {
    it.effect(`is not retried after ${status}`, () =>
      Effect.gen(function*() {
        const { api, moments } = yield* scripted([() => coded(status, "some_code", { "retry-after": "1" })])
        yield* failing(api.ingest.ingestText({ params: { connector_id: "c" }, payload: { items: [{ text: "t" }] } }))
        assert.deepStrictEqual(moments, [0])
      }))
  }

  for (const lost of ["lost", "silent", 502, 504] as const) {
    const step = () => typeof lost === "number" ? new Response("<html>", { status: lost }) : lost
    const policy = { attempts: 3, minimumDelay: 0, attemptTimeout: 1_000 }

    it.effect(`of any kind is retried after ${lost}`, () =>
      Effect.gen(function*() {
        const { api, moments } = yield* scripted([step], policy)
        const connector = { params: { connector_id: "c" } }
        const calls = [
          api.connectors.getConnector(connector),
          api.connectors.updateConnector({ ...connector, payload: {} }),
          api.connectors.deactivateConnector({ ...connector, query: {} }),
          api.ingest.ingestJson({ ...connector, payload: { items: [{ data: 1 }] } }),
          api.knowledge.search({ payload: { q: "q" } }),
          api.knowledge.ask({ payload: { query: "q" } }),
          api.knowledge.refresh({ payload: {} })
        ]
        for (const call of calls) yield* Effect.exit(settled<unknown, unknown>(call))
        assert.strictEqual(moments.length, calls.length * 3)
      }))

    it.effect(`is not retried after ${lost} if it creates something`, () =>
      Effect.gen(function*() {
        const { api, moments } = yield* scripted([step], policy)
        yield* failing(api.connectors.createConnector({ payload: { name: "n", source_name: "s" } }))
        yield* failing(api.workspaces.createWorkspace({ payload: { name: "n" } }))
        assert.strictEqual(moments.length, 2)
      }))
  }

  it.effect("that cannot be sent is not retried", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([() => "unsendable"])
      yield* failing(api.knowledge.getSettings())
      assert.deepStrictEqual(moments, [0])
    }))

  it.effect("that creates something is retried if it was refused", () =>
    Effect.gen(function*() {
      const { api, moments } = yield* scripted([busy, () => limited(1), () => coded(401, "authentication_error")])
      yield* failing(api.connectors.createConnector({ payload: { name: "n", source_name: "s" } }))
      assert.strictEqual(moments.length, 3)
    }))

  it.effect("that pushes items has the same ids in every attempt", () =>
    Effect.gen(function*() {
      const { api, bodies } = yield* scripted([() => "lost", busy, () => coded(404, "client_not_found")])
      const items = [{ text: "one" }, { external_id: "mine", text: "two" }, { external_id: null, text: "three" }]
      yield* failing(api.ingest.ingestText({ params: { connector_id: "c" }, payload: { items } }))
      assert.lengthOf(bodies, 3)
      assert.deepStrictEqual(bodies[1], bodies[0])
      assert.deepStrictEqual(bodies[2], bodies[0])
      const [one, two, three] = (bodies[0] as { items: ReadonlyArray<{ external_id: string }> }).items
      assert.match(one!.external_id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(two!.external_id, "mine")
      assert.match(three!.external_id, /^[0-9a-f-]{36}$/)
    }))
})
