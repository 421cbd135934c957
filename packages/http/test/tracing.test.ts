// The span of a request: its name, its parent, and whether it exists.
import { assert, describe, it } from "@effect/vitest"
import { TraceSampling } from "@tributary/core/ports/TraceSampling"
import { Effect, Logger, Option, Ref, Tracer } from "effect"
import { wire } from "./support/wire.ts"

const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" }

const traceparent = (sampled: boolean) => `00-${CALLER.traceId}-${CALLER.spanId}-${sampled ? "01" : "00"}`

/**
 * A tracer that stores its spans; `begins` decides whether a trace is sampled, null for a tracer of the host. The
 * service is built and called within `traced`.
 */
const collecting = (begins: (() => boolean) | null) => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const traced = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    begins === null
      ? Effect.provideService(effect, Tracer.Tracer, tracer)
      : Effect.provideService(effect, TraceSampling, { begins, tracer })
  const requests = () => spans.filter(({ kind }) => kind === "server")
  /** Spans within a trace. All others must be of kinds that start none. */
  const within = () => spans.filter(({ parent }) => Option.isSome(parent))
  return { traced, requests, spans, within }
}

const always = () => true

describe("A request", () => {
  it.effect("has a span named by its method and route, whatever its path and query are", () =>
    Effect.gen(function*() {
      const { requests, traced } = collecting(always)
      const { send } = yield* traced(wire({ operator: false }))
      yield* traced(send("GET", "/v1/documents/quicksilver?q=quicksilver"))
      yield* traced(send("HEAD", "/v1/knowledge/settings"))
      yield* traced(send("GET", "/v1/quicksilver"))
      yield* traced(send("GET", "/v1/knowledge/settings", { key: "quicksilver" }))
      assert.deepStrictEqual(
        requests().map(({ attributes, name }) => [name, attributes.get("http.response.status_code")]),
        [
          ["GET /v1/documents/:document_id", 404],
          ["HEAD /v1/knowledge/settings", 200],
          ["GET", 404],
          ["GET /v1/knowledge/settings", 401]
        ]
      )
    }))

  it.effect("of a method that no route has is named _OTHER, whatever the client calls the method", () =>
    Effect.gen(function*() {
      const { requests, traced } = collecting(always)
      const { send } = yield* traced(wire())
      yield* traced(send("QUICKSILVER", "/v1/quicksilver"))
      yield* traced(send("QUICKSILVER", "/v1/knowledge/settings"))
      for (const { attributes, name } of requests()) {
        assert.strictEqual(name.split(" ")[0], "_OTHER")
        assert.strictEqual(attributes.get("http.request.method"), "_OTHER")
      }
      assert.lengthOf(requests(), 2)
    }))

  it.effect("is in the trace of its caller, or starts one", () =>
    Effect.gen(function*() {
      const { requests, spans, traced } = collecting(always)
      const { send } = yield* traced(wire())
      yield* traced(send("GET", "/v1/knowledge/status", { headers: { traceparent: traceparent(true) } }))
      yield* traced(send("GET", "/v1/knowledge/status", { headers: { traceparent: "quicksilver" } }))
      const [ours, own] = requests()
      assert.strictEqual(ours!.traceId, CALLER.traceId)
      assert.strictEqual(Option.getOrThrow(ours!.parent).spanId, CALLER.spanId)
      assert.isTrue(Option.isNone(own!.parent))
      assert.isAbove(spans.filter(({ traceId }) => traceId === CALLER.traceId).length, 1)
    }))

  it.effect("has no span if its trace is not sampled, and neither have its steps", () =>
    Effect.gen(function*() {
      const never = collecting(() => false)
      const { send: sendUnsampled } = yield* never.traced(wire())
      yield* sendUnsampled("POST", "/v1/knowledge/search", { body: { q: "heron" } })
      assert.isEmpty(never.spans)
      yield* sendUnsampled("GET", "/v1/knowledge/status", { headers: { traceparent: traceparent(true) } })
      assert.isNotEmpty(never.within())
      const { requests, traced, within } = collecting(always)
      const { send } = yield* traced(wire())
      yield* traced(send("GET", "/v1/knowledge/status", { headers: { traceparent: traceparent(false) } }))
      for (const path of ["/healthz", "/readyz", "/metrics"]) yield* traced(send("GET", path, { key: null }))
      assert.isEmpty([...requests(), ...within()])
    }))

  it.effect("lets the host's tracer decide which traces are sampled, except for probes and those that the caller excluded", () =>
    Effect.gen(function*() {
      const { requests, spans, traced } = collecting(null)
      const { send } = yield* wire()
      yield* traced(send("GET", "/v1/knowledge/status", { headers: { traceparent: traceparent(false) } }))
      yield* traced(send("GET", "/readyz", { key: null }))
      assert.isEmpty(spans)
      yield* traced(send("GET", "/v1/knowledge/status"))
      assert.lengthOf(requests(), 1)
    }))

  it.effect("of an assistant whose trace is not sampled starts none for its tool", () =>
    Effect.gen(function*() {
      let asked = 0
      const { requests, traced } = collecting(() => asked++ > 0)
      const { send } = yield* traced(wire())
      const call = () =>
        traced(send("POST", "/mcp", {
          headers: { accept: "application/json, text/event-stream" },
          body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_sources", arguments: {} } }
        }))
      assert.strictEqual((yield* call()).status, 200)
      assert.isEmpty(requests())
      yield* call()
      assert.includeMembers(requests().map(({ name }) => name), ["POST /mcp", "GET /v1/custom-connectors"])
      assert.lengthOf(new Set(requests().map(({ traceId }) => traceId)), 1)
    }))

  it.effect("has the error in its trace if the service fails, and is named in its log lines", () =>
    Effect.gen(function*() {
      const lines: Array<ReturnType<typeof Logger.formatStructured.log>> = []
      const logger = Logger.make((line) => void lines.push(Logger.formatStructured.log(line)))
      const { requests, traced } = collecting(always)
      const { reads, send } = yield* traced(wire())
      yield* Ref.set(reads.broken, true)
      const sent = send("GET", "/v1/runtime/events", { headers: { "x-request-id": "the-id" } })
      yield* traced(sent).pipe(Effect.provide(Logger.layer([logger])))
      const [span] = requests()
      assert.strictEqual(span!.attributes.get("error.type"), "500")
      assert.strictEqual(span!.status._tag === "Ended" && span!.status.exit._tag, "Failure")
      assert.deepInclude(lines.at(-1)?.annotations, { request_id: "the-id", trace_id: span!.traceId })
    }))
})
