// Servers that answer badly, late, or not at all.
import { assert, describe, it } from "vitest"
import {
  ConnectionError,
  createClient,
  NotFoundError,
  QuotaError,
  RateLimitError,
  TributaryError,
  UnavailableError
} from "../src/promise.ts"
import { failure, json, REBUILDING, SETTINGS, startStub } from "./support/stub.ts"

const TINY = { attempts: 3, minimumDelay: 1, maximumWait: 50 }

const connect = (baseUrl: string, options: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl, apiKey: "key", retries: TINY, ...options })

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => undefined, (error: unknown) => error)

describe("A server that", () => {
  it("is busy for a while gets a retry", async () => {
    await using stub = await startStub((count, response) =>
      count < 3 ? failure(response, 503, "service_unavailable") : json(response, 200, SETTINGS)
    )
    assert.deepStrictEqual(await connect(stub.baseUrl).knowledge.settings(), SETTINGS)
    assert.lengthOf(stub.asked, 3)
  })

  it("stays busy ends the attempts", async () => {
    await using stub = await startStub((_, response) => failure(response, 503, "service_unavailable"))
    const error = await failureOf(connect(stub.baseUrl).knowledge.settings())
    assert.instanceOf(error, UnavailableError)
    assert.deepInclude(error as object, {
      code: "service_unavailable",
      status: 503,
      requestId: "request-503",
      retryable: true
    })
    assert.lengthOf(stub.asked, 3)
  })

  it("sends Retry-After gets no earlier request", async () => {
    await using stub = await startStub((count, response) =>
      count === 1
        ? failure(response, 429, "rate_limit_exceeded", { "retry-after": "1" })
        : json(response, 200, SETTINGS)
    )
    await connect(stub.baseUrl, { retries: { ...TINY, maximumWait: 5_000 } }).knowledge.settings()
    assert.isAtLeast(stub.asked[1]!.at - stub.asked[0]!.at, 990)
  })

  it("says what is limited is quoted by the error", async () => {
    const detail = "32 event streams are open already. Retry in 15 seconds."
    const numbers = { limit: 32, remaining: 0, window_seconds: 15, retry_after: 15 }
    const problem = { type: "https://x/errors/rate_limit_exceeded", title: "Too Many Requests", status: 429, detail }
    const body = { ...problem, error_code: "rate_limit_exceeded", endpoint: "event_streams", ...numbers }
    await using stub = await startStub((_, response) =>
      json(response, 429, body, { "content-type": "application/problem+json" })
    )
    const error = await failureOf(connect(stub.baseUrl).events.live()[Symbol.asyncIterator]().next())
    assert.instanceOf(error, RateLimitError)
    assert.deepInclude(error as object, { message: detail, details: { endpoint: "event_streams", ...numbers } })
  })

  it("refuses with an error that the operation does not declare is quoted all the same", async () => {
    for (
      const [status, error_code, kind] of [
        [402, "quota_exceeded", QuotaError],
        [404, "not_found", NotFoundError],
        [404, "of_a_later_release", NotFoundError],
        [410, "gone_for_good", TributaryError],
        [429, "rate_limit_exceeded", RateLimitError],
        [503, "of_a_later_release", UnavailableError]
      ] as const
    ) {
      await using stub = await startStub((_, response) => failure(response, status, error_code))
      const error = await failureOf(connect(stub.baseUrl, { retries: { attempts: 1 } }).knowledge.settings())
      assert.instanceOf(error, kind)
      const message = `${stub.baseUrl}/v1/knowledge/settings: As the test says.`
      const retryable = status === 429 || status === 503
      assert.deepInclude(error as object, { status, code: error_code, message, retryable })
    }
  })

  it("sends a long Retry-After ends the attempts", async () => {
    await using stub = await startStub((_, response) =>
      failure(response, 429, "rate_limit_exceeded", { "retry-after": "3600" })
    )
    const error = await failureOf(connect(stub.baseUrl).knowledge.refresh())
    assert.instanceOf(error, RateLimitError)
    assert.deepInclude(error as object, { status: 429, retryAfter: 3600, retryable: true })
    assert.lengthOf(stub.asked, 1)
  })

  it("reports a full plan gets no retry", async () => {
    const rejected = [{ external_id: "a", resource: "storage", reason: "quota_exceeded" } as const]
    await using stub = await startStub((_, response) =>
      json(response, 402, { error_code: "quota_exceeded", message: "Full.", details: { rejected } })
    )
    const error = await failureOf(connect(stub.baseUrl).ingest.text("c", [{ external_id: "a", text: "t" }]))
    assert.instanceOf(error, QuotaError)
    assert.deepStrictEqual((error as QuotaError).rejected, rejected)
    assert.isFalse((error as QuotaError).retryable)
    assert.lengthOf(stub.asked, 1)
  })

  it("answers something else is recognized", async () => {
    const bodies = ["<html>hello</html>", "{\"temporal_settings\":", "[]", ""]
    for (const body of bodies) {
      await using stub = await startStub((_, response) => response.writeHead(200).end(body))
      const error = await failureOf(connect(stub.baseUrl).knowledge.settings())
      assert.instanceOf(error, TributaryError)
      assert.deepInclude(error as object, { code: "unexpected_answer", status: 200, retryable: false }, body)
      assert.include((error as Error).message, `${stub.baseUrl}/v1/knowledge/settings`)
      assert.lengthOf(stub.asked, 1)
    }
  })

  it("is behind a failing proxy keeps its status", async () => {
    for (
      const [status, code, retryable] of [
        [502, "service_unavailable", true],
        [503, "service_unavailable", true],
        [504, "service_unavailable", true],
        [413, "payload_too_large", false],
        [500, "unexpected_answer", false],
        [418, "unexpected_answer", false]
      ] as const
    ) {
      await using stub = await startStub((_, response) => response.writeHead(status).end("<html>"))
      assert.deepInclude(await failureOf(connect(stub.baseUrl).usage()) as object, { code, status, retryable })
      assert.lengthOf(stub.asked, retryable ? 3 : 1)
    }
  })

  it("cuts the connection gets a retry, before and within an answer", async () => {
    await using stub = await startStub((count, response) => {
      if (count === 1) return response.destroy()
      if (count === 3) return json(response, 200, SETTINGS)
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
      response.write("{", () => response.destroy())
    })
    assert.deepStrictEqual(await connect(stub.baseUrl).knowledge.settings(), SETTINGS)
    assert.lengthOf(stub.asked, 3)
  })

  it("never answers times out at each attempt", async () => {
    await using stub = await startStub(() => {})
    const client = connect(stub.baseUrl, { attemptTimeout: 500 })
    const error = await failureOf(client.knowledge.settings())
    assert.instanceOf(error, ConnectionError)
    assert.deepInclude(error as object, { code: "timeout", status: null, retryable: true })
    assert.lengthOf(stub.asked, 3)
  })

  it("begins an answer and never ends it times out, too", async () => {
    await using stub = await startStub((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).write("{")
    )
    const client = connect(stub.baseUrl, { attemptTimeout: 500 })
    assert.deepInclude(await failureOf(client.knowledge.settings()) as object, { code: "timeout" })
    assert.lengthOf(stub.asked, 3)
  })

  it("is slow times out with the call", async () => {
    await using stub = await startStub(() => {})
    const began = performance.now()
    const error = await failureOf(connect(stub.baseUrl).knowledge.settings({ timeout: 500 }))
    assert.deepInclude(error as object, { code: "timeout" })
    assert.isBelow(performance.now() - began, 20_000)
    assert.lengthOf(stub.asked, 1)
  })

  it("does not exist is a network error", async () => {
    let baseUrl = ""
    {
      await using stub = await startStub(() => {})
      baseUrl = stub.baseUrl
    }
    const error = await failureOf(connect(baseUrl).knowledge.settings())
    assert.deepInclude(error as object, {
      name: "ConnectionError",
      code: "network_error",
      status: null,
      requestId: null
    })
  })

  it("may have created a connector gets no second request", async () => {
    await using stub = await startStub((_, response) => response.destroy())
    await failureOf(connect(stub.baseUrl).connectors.create({ name: "n", source_name: "s" }))
    assert.lengthOf(stub.asked, 1)
  })
})

describe("A call with a signal", () => {
  it("is interrupted while the server does not answer", async () => {
    await using stub = await startStub(() => controller.abort(new Error("enough")))
    const controller = new AbortController()
    const error = await failureOf(connect(stub.baseUrl).knowledge.settings({ signal: controller.signal }))
    assert.strictEqual((error as Error).message, "enough")
    assert.lengthOf(stub.asked, 1)
  })

  it("is interrupted while it waits for a retry", async () => {
    const controller = new AbortController()
    await using stub = await startStub((_, response) =>
      failure(response, 503, "service_unavailable", { "retry-after": "60" })
    )
    const began = performance.now()
    // It is called before the wait, which has begun in the next turn.
    const onRetry = () => void setImmediate(() => controller.abort(new Error("enough")))
    const client = connect(stub.baseUrl, { retries: { ...TINY, maximumWait: 90_000, onRetry } })
    const error = await failureOf(client.knowledge.settings({ signal: controller.signal }))
    assert.strictEqual((error as Error).message, "enough")
    assert.isBelow(performance.now() - began, 20_000)
    assert.lengthOf(stub.asked, 1)
  })

  it("sends nothing if the signal is aborted already", async () => {
    await using stub = await startStub(() => {})
    const error = await failureOf(connect(stub.baseUrl).knowledge.settings({ signal: AbortSignal.abort() }))
    assert.strictEqual((error as Error).name, "AbortError")
    assert.lengthOf(stub.asked, 0)
  })
})

describe("waitUntilUpToDate", () => {
  it("ends within its time, and with its signal", async () => {
    await using stub = await startStub((_, response) => json(response, 200, REBUILDING))
    const { knowledge } = connect(stub.baseUrl)
    assert.deepInclude(await failureOf(knowledge.waitUntilUpToDate({ timeout: 300 })) as object, {
      code: "timeout",
      message: "Not finished within 300 ms."
    })
    const signal = AbortSignal.timeout(50)
    assert.strictEqual((await failureOf(knowledge.waitUntilUpToDate({ signal })) as Error).name, "TimeoutError")
  })
})
