/** A real server and an OpenTelemetry collector: what is sent, what is never sent, and silent collectors. */
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { attributesOf, type Span, startCollector } from "../../../packages/node/test/support/collector.ts"
import { eventually } from "./faults/support/nodes.ts"
import { api, type Environment, type RunningServer, startServer } from "./serverProcess.ts"

/** A mark in everything that a client writes. */
const MARK = "quicksilver7"
const ADMIN_TOKEN = `operator-${MARK}-of-the-tests`
const COLLECTOR_KEY = "key-of-the-collector"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

interface Operation {
  readonly method: string
  readonly path: string
  readonly example: Json | undefined
}

/** Operations that create something, then those that read it, then those that remove it. */
const RANK = ["post", "put", "patch", "get", "delete"]

const operationsOf = (file: string): ReadonlyArray<Operation> => {
  const { paths } = JSON.parse(readFileSync(new URL(`../../../docs/${file}`, import.meta.url), "utf8")) as {
    readonly paths: Record<
      string,
      Record<string, { readonly requestBody?: { readonly content: Record<string, { readonly example?: Json }> } }>
    >
  }
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { requestBody }]) => ({ method, path, requestBody }))
    )
    .sort((one, other) => RANK.indexOf(one.method) - RANK.indexOf(other.method))
    .map(({ method, path, requestBody }) => ({
      method: method.toUpperCase(),
      path,
      example: requestBody?.content["application/json"]?.example
    }))
}

const FREE = new Set(["comment", "content", "name", "q", "query", "subject", "text", "title"])

/** With the mark in every free text. */
const marked = (value: Json, name = ""): Json => {
  if (typeof value === "string") return FREE.has(name) ? `${value} ${MARK}` : value
  if (Array.isArray(value)) return value.map((part) => marked(part, name))
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, marked(part, name)]))
}

/** A model that fails, and whose error repeats the request. */
const startEcho = async () => {
  const traceparents: Array<unknown> = []
  const server = createServer((request, response) => {
    traceparents.push(request.headers["traceparent"])
    response.writeHead(500)
    request.pipe(response)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const models = Object.fromEntries(
    ["ANSWERS", "EMBEDDINGS", "RERANKER"].flatMap((name) => [
      [`TRIBUTARY_${name}_URL`, url],
      [`TRIBUTARY_${name}_MODEL`, "echo"],
      [`TRIBUTARY_${name}_KEY`, `key-${MARK}`]
    ])
  )
  return { models, traceparents, close: () => server.close() }
}

const template = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ":$1")

const scrape = async ({ url }: RunningServer): Promise<string> => (await fetch(`${url}/metrics`)).text()

const KINDS = { server: 2, client: 3, consumer: 5 }

describe("A server with a collector", () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  let echo: Awaited<ReturnType<typeof startEcho>>
  let server: RunningServer

  const startOne = (settings: Environment = {}) =>
    startServer([], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${COLLECTOR_KEY}`,
      TRIBUTARY_ADMIN_TOKEN: ADMIN_TOKEN,
      TRIBUTARY_LOG_FORMAT: "json",
      ...echo.models,
      ...settings
    })

  beforeAll(async () => {
    collector = await startCollector()
    echo = await startEcho()
    server = await startOne()
  })
  afterAll(async () => {
    await server.stop()
    await collector.close()
    echo.close()
  })

  const spanNamed = (name: string, isWanted: (span: Span) => boolean = () => true) =>
    eventually(
      `the span ${name}`,
      async () => collector.spans().find((span) => span.name === name && isWanted(span))
    )

  /** The names of the spans above, the nearest first. */
  const above = (span: Span): ReadonlyArray<string> => {
    const parent = collector.spans().find(({ spanId }) => spanId === span.parentSpanId)
    return parent === undefined ? [] : [parent.name, ...above(parent)]
  }

  it("traces a request from its caller to the storage, and on to its job", async () => {
    const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
    await fetch(`${server.url}/v1/knowledge/settings?${MARK}`, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${server.key}`,
        "content-type": "application/json",
        traceparent: `00-${traceId}-${spanId}-01`
      },
      body: JSON.stringify({ temporal_settings: { start: null, end: null } })
    })
    const isOurs = (span: Span) => span.traceId === traceId
    const patch = await spanNamed("PATCH /v1/knowledge/settings", isOurs)
    assert.deepStrictEqual([patch.parentSpanId, patch.kind], [spanId, KINDS.server])
    assert.deepInclude(attributesOf(patch), {
      "http.request.method": "PATCH",
      "http.route": "/v1/knowledge/settings",
      "http.response.status_code": 200
    })
    const configure = await spanNamed("KnowledgeStore.configure", isOurs)
    assert.deepStrictEqual(above(configure), ["KnowledgeContext.configure", "PATCH /v1/knowledge/settings"])
    // The spans of a job are sent before the job's own.
    const job = await spanNamed("job context", isOurs)
    const rebuild = await spanNamed("KnowledgeContext.rebuild", isOurs)
    assert.deepStrictEqual(above(rebuild).slice(0, 1), ["job context"])
    assert.deepStrictEqual([job.kind, job.links?.[0]?.traceId], [KINDS.consumer, traceId])
    assert.strictEqual(job.links?.[0]?.spanId, job.parentSpanId)
    assert.include(above(job), "PATCH /v1/knowledge/settings")
    assert.include(above(await spanNamed("KnowledgeStore.publish", isOurs)), "job context")
  })

  it("traces model calls within the question, and sends no trace context to the models", async () => {
    const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Notes",
      source_name: "notes-of-models"
    })
    const items = [{ text: "The spare key is kept in locker 7." }]
    await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/text`, { items })
    await api(server, "POST", "/v1/knowledge/ask", { query: "Where is the spare key?" })
    const chat = await spanNamed("chat echo")
    assert.deepInclude(attributesOf(chat), { "gen_ai.operation.name": "chat", "gen_ai.request.model": "echo" })
    assert.strictEqual(above(chat).at(-1), "POST /v1/knowledge/ask")
    assert.isNotEmpty(echo.traceparents)
    assert.isTrue(echo.traceparents.every((header) => header === undefined))
  })

  it("adds request and trace ids to log lines", async () => {
    const response = await fetch(`${server.url}/v1/knowledge/ask`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.key}`, "content-type": "application/json", "x-request-id": "the-id" },
      body: JSON.stringify({ query: "Where is the spare key?" })
    })
    await response.body?.cancel()
    const isOurs = (record: Parameters<typeof attributesOf>[0]) => attributesOf(record)["request_id"] === "the-id"
    const record = await eventually("a line of the request", async () => collector.logs().find(isOurs))
    const ask = await spanNamed(
      "POST /v1/knowledge/ask",
      (span) => attributesOf(span)["tributary.request.id"] === "the-id"
    )
    assert.strictEqual(record.traceId, ask.traceId)
    const line = server.output.stderr.split("\n").find((line) => line.includes("the-id"))
    assert.deepInclude(JSON.parse(line!).annotations, { request_id: "the-id", trace_id: ask.traceId })
  })

  it("names every operation by its route, and sends no text of a client", async () => {
    const offered = operationsOf("openapi.json").map((operation) => ({ ...operation, key: server.key }))
    const operators = operationsOf("openapi-operator.json").map((operation) => ({ ...operation, key: ADMIN_TOKEN }))
    const outcomes: Array<number> = []
    for (const all of [offered, operators]) {
      const known = new Map<string, string>()
      for (const { example, key, method, path } of all) {
        const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => known.get(name) ?? MARK)
        const response = await fetch(`${server.url}${address}?q=${MARK}&${MARK}=1`, {
          method,
          headers: {
            authorization: `Bearer ${key}`,
            "user-agent": MARK,
            cookie: `session=${MARK}`,
            ...(example === undefined ? {} : { "content-type": "application/json" })
          },
          ...(example === undefined ? {} : { body: JSON.stringify(marked(example)) })
        })
        outcomes.push(response.status)
        for (const [, name, id] of (await response.text()).matchAll(/"(\w+_id)":"([\w-]+)"/g)) {
          if (!known.has(name!)) known.set(name!, id!)
        }
      }
    }
    assert.isAbove(outcomes.filter((status) => status < 300).length, outcomes.length / 2)
    for (const { method, path } of [...offered, ...operators]) await spanNamed(`${method} ${template(path)}`)
    await api(server, "GET", `/v1/nowhere/${MARK}?${MARK}`).catch(() => undefined)
    await spanNamed("GET")
    assert.isNotEmpty(collector.logs())
    assert.isNotEmpty(collector.metrics())
    for (const secret of [MARK, server.key, COLLECTOR_KEY, "locker 7", "spare key"]) {
      assert.notInclude(collector.text(), secret)
    }
  })

  it("sends the metrics that it also shows", async () => {
    // Of its own: the other server sends its metrics to the shared one at any time.
    const own = await startCollector()
    const other = await startOne({ OTEL_EXPORTER_OTLP_ENDPOINT: own.url })
    await api(other, "POST", "/v1/knowledge/search", { q: "kites" })
    const { job_id } = await api<{ job_id: string }>(other, "POST", "/v1/knowledge/ask", { query: "?", async: true })
    await api(other, "GET", `/v1/knowledge/ask/jobs/${job_id}?wait=30`)
    const counted = /^tributary_job_duration_seconds_count\{[^}]*queue="ask"/m
    await eventually("the attempt is counted", async () => counted.test(await scrape(other)))
    const shown = await scrape(other)
    const before = own.received.length
    assert.strictEqual(await other.stop(), 0)
    assert.isAbove(own.received.length, before)
    await own.close()

    const sent = own.metrics().flatMap(({ histogram, name }) =>
      (histogram?.dataPoints ?? []).flatMap((point) => {
        const labels = Object.entries(attributesOf(point)).map(([name, value]) => `${name}="${value}"`).sort().join()
        return [[`${name}_count{${labels}}`, point.count], [`${name}_sum{${labels}}`, point.sum]] as const
      })
    )
    const scraped = [...shown.matchAll(/^(\w+_(?:count|sum))\{([^}]*)\} (\S+)$/gm)]
      .map(([, name, labels, value]) => [`${name}{${labels!.split(",").sort().join()}}`, Number(value)] as const)
    const namesIn = (points: ReadonlyArray<readonly [string, unknown]>) =>
      [...new Set(points.map(([name]) => name.slice(0, name.indexOf("{"))))].sort()
    assert.deepStrictEqual(namesIn(sent), namesIn(scraped))
    assert.includeMembers(namesIn(sent), [
      "http_server_request_duration_seconds_count",
      "tributary_job_duration_seconds_count",
      "tributary_job_wait_seconds_count"
    ])
    // Jobs of other queues, and the scrapes themselves, continue in between.
    const settled = (points: ReadonlyArray<readonly [string, number | undefined]>) =>
      points.filter(([name]) => name.includes("\"/v1/") || name.includes("queue=\"ask\"")).sort()
    assert.isAtLeast(settled(scraped).length, 8)
    assert.deepStrictEqual(settled(sent), settled(scraped))
  })

  it("answers and ends as usual when the collector is silent", async () => {
    const silent = await startCollector("hangs")
    const one = await startOne({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url })
    await api(one, "GET", "/v1/usage/current")
    await eventually("something is sent", async () => silent.received.length > 0)
    await api(one, "GET", "/v1/usage/current")
    assert.strictEqual(await one.stop(), 0)
    await silent.close()
  })
})
