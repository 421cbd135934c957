/**
 * The service in memory on several ports of one process, with and without telemetry: two processes that do the same
 * differ by up to a third, because their code is compiled differently.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { serve as listen } from "@tributary/http/NodeServer"
import * as Telemetry from "@tributary/node/Telemetry"
import { Effect, Layer } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout } from "node:timers/promises"
import { cpuTime } from "../cpuTime.ts"
import type { Place } from "./scenarios.ts"
import { fill, newApp, newWorkspace, services } from "./service.ts"

/** Milliseconds in which the last batch of spans arrives at the collector. */
const SENT = 5

const serve = Effect.gen(function*() {
  const empty = yield* newWorkspace("Empty")
  const searched = yield* newWorkspace("Searched")
  yield* fill(searched.workspace, searched.connectorId)
  const server = createServer()
  const app = yield* newApp
  yield* listen(server, app).pipe(
    Effect.provide(yield* Layer.build(NodeHttpServer.layer(() => server, { port: 0, host: "127.0.0.1" })))
  )
  const place: Place = {
    port: (server.address() as AddressInfo).port,
    key: empty.secret,
    searchKey: searched.secret,
    ingestKey: searched.secret,
    connectorId: searched.connectorId
  }
  return place
})

const start = (telemetry: Layer.Layer<never>) =>
  new Promise<Place>((resolve, reject) => {
    const served = Effect.tap(serve, (place) => Effect.sync(() => resolve(place)))
    Effect.runPromise(
      Effect.andThen(served, Effect.never).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, telemetry)))
    ).catch(reject)
  })

const [url, ...ratios] = process.argv.slice(2)

process.on("message", async () => {
  await setTimeout(SENT)
  process.send?.(cpuTime())
})
process.on("disconnect", () => process.exit(0))
process.send?.(
  await Promise.all(
    ratios.map((ratio) => start(ratio === "none" ? Layer.empty : Telemetry.layer({ url: url!, ratio: Number(ratio) })))
  )
)
