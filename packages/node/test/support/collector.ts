/** A collector of OpenTelemetry that keeps what it is sent, and may be slow, silent, or refuse. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

type Mode = "takes" | "hangs" | "fails" | "slow"

interface Value {
  readonly stringValue?: string
  readonly intValue?: number | string
}

interface Attribute {
  readonly key: string
  readonly value: Value
}

export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes?: ReadonlyArray<Attribute>
  readonly links?: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly status: { readonly code: number }
}

interface LogRecord {
  readonly body: Value
  readonly traceId?: string
  readonly attributes: ReadonlyArray<Attribute>
}

interface Point {
  readonly attributes: ReadonlyArray<Attribute>
  readonly count?: number
  readonly sum?: number
  readonly bucketCounts?: ReadonlyArray<number>
}

interface Metric {
  readonly name: string
  readonly histogram?: { readonly dataPoints: ReadonlyArray<Point> }
}

interface Body {
  readonly resourceSpans?: ReadonlyArray<
    { readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }> }
  >
  readonly resourceLogs?: ReadonlyArray<
    { readonly scopeLogs: ReadonlyArray<{ readonly logRecords: ReadonlyArray<LogRecord> }> }
  >
  readonly resourceMetrics?: ReadonlyArray<
    { readonly scopeMetrics: ReadonlyArray<{ readonly metrics: ReadonlyArray<Metric> }> }
  >
}

interface Received {
  readonly path: string
  readonly authorization: string | undefined
  readonly text: string
  readonly body: Body
}

export const startCollector = async (mode: Mode = "takes") => {
  const received: Array<Received> = []
  let current = mode
  const server = createServer(async (request, response) => {
    const pieces: Array<Uint8Array> = []
    for await (const piece of request) pieces.push(piece)
    const text = Buffer.concat(pieces).toString()
    received.push({
      path: request.url ?? "",
      authorization: request.headers.authorization,
      text,
      body: JSON.parse(text)
    })
    if (current === "hangs") return
    const answer = () => response.writeHead(current === "fails" ? 500 : 200).end("{}")
    if (current === "slow") setTimeout(answer, 400)
    else answer()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const bodies = () => received.map(({ body }) => body)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    becomes: (mode: Mode) => {
      current = mode
    },
    /** All that it was sent, as it came. */
    text: () => received.map(({ text }) => text).join("\n"),
    spans: (): ReadonlyArray<Span> =>
      bodies().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
      ),
    logs: (): ReadonlyArray<LogRecord> =>
      bodies().flatMap(({ resourceLogs = [] }) =>
        resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
      ),
    /** As they were last. */
    metrics: (): ReadonlyArray<Metric> =>
      bodies().flatMap(({ resourceMetrics = [] }) => resourceMetrics).at(-1)?.scopeMetrics
        .flatMap(({ metrics }) => metrics) ?? [],
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export const attributesOf = ({ attributes = [] }: { readonly attributes?: ReadonlyArray<Attribute> }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))
