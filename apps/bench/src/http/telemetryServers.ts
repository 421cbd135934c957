/**
 * The service in memory on several ports of one process, with and without telemetry: two processes that do the same
 * differ by up to a third, because their code is compiled differently.
 */
import * as Telemetry from "@tributary/node/Telemetry"
import { Effect, Layer } from "effect"
import { setTimeout } from "node:timers/promises"
import { cpuTime } from "../cpuTime.ts"
import type { Place } from "./scenarios.ts"
import { fill, listen, newWorkspace, services } from "./service.ts"

/** Milliseconds in which the last batch of spans arrives at the collector. */
const SENT = 5

const serve = Effect.gen(function*() {
  const empty = yield* newWorkspace("Empty")
  const searched = yield* newWorkspace("Searched")
  yield* fill(searched.workspace, searched.connectorId)
  const place: Place = {
    port: yield* listen,
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
