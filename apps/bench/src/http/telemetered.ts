/** A separate process with the service, with or without a collector, called without a socket. */
import * as Telemetry from "@tributary/node/Telemetry"
import { Effect, Layer } from "effect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { cpuTime } from "../cpuTime.ts"
import { queryOf } from "./scenarios.ts"
import { fill, newApp, newWorkspace, services } from "./service.ts"

const KINDS = {
  "GET settings": (headers: HeadersInit) => new Request("http://127.0.0.1/v1/knowledge/settings", { headers }),
  search: (headers: HeadersInit, number: number) =>
    new Request("http://127.0.0.1/v1/knowledge/search", {
      method: "POST",
      headers,
      body: JSON.stringify({ q: queryOf(number) })
    })
}

/** Requests of one kind. The response is their processor time in microseconds. */
export interface Turn {
  readonly kind: keyof typeof KINDS
  readonly first: number
  readonly requests: number
  /** As part of a sampled trace of the caller. */
  readonly isTraced: boolean
}

const TRACE = { traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01` }

/** The step in which the system counts processor time, which is 10 ms on some. */
const stepOfClock = (): number => {
  const steps = Array.from({ length: 5 }, () => {
    const before = cpuTime()
    let now = before
    while (now === before) now = cpuTime()
    return now - before
  })
  return Math.min(...steps)
}

const [url, ratio] = process.argv.slice(2)

const serve = Effect.gen(function*() {
  const { connectorId, secret, workspace } = yield* newWorkspace("Measured")
  yield* fill(workspace, connectorId)
  const app = yield* newApp
  const run = Effect.runPromiseWith(yield* Effect.context())
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  const send = async (request: Request): Promise<void> => {
    const received = HttpServerRequest.fromWeb(request)
    const { status } = await run(
      Effect.scoped(Effect.provideService(app, HttpServerRequest.HttpServerRequest, received))
    )
    if (status !== 200) throw new Error(`status ${status}`)
  }
  process.on("message", async ({ first, isTraced, kind, requests }: Turn) => {
    const all = isTraced ? { ...headers, ...TRACE } : headers
    const sent = Array.from({ length: requests }, (_, index) => KINDS[kind](all, first + index))
    const before = cpuTime()
    for (const request of sent) await send(request)
    process.send?.(cpuTime() - before)
  })
  process.on("disconnect", () => process.exit(0))
  process.send?.(stepOfClock())
  return yield* Effect.never
})

const telemetry = url === undefined ? Layer.empty : Telemetry.layer({ url, ratio: Number(ratio) })

await Effect.runPromise(serve.pipe(
  Effect.scoped,
  Effect.provide(Layer.provideMerge(services, Layer.merge(telemetry, HttpServer.layerServices)))
))
