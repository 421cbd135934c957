/**
 * The service in memory on several ports of one process, with and without telemetry: two processes that do the same
 * differ by up to a third, because their code is compiled differently. Two ports differ by up to 3 %, so the share of
 * the traces that a port sends can be changed.
 */
import { TraceSampling } from "@tributary/core/ports/TraceSampling"
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

let ratio = 0

const sampling = Layer.effect(
  TraceSampling,
  Effect.map(TraceSampling, (sampling) => sampling && { ...sampling, begins: () => Math.random() < ratio })
)

const start = (telemetry: Layer.Layer<never>) =>
  new Promise<Place>((resolve, reject) => {
    const served = Effect.tap(serve, (place) => Effect.sync(() => resolve(place)))
    Effect.runPromise(
      Effect.andThen(served, Effect.never).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(services, telemetry)))
    ).catch(reject)
  })

const [url = "", ...ports] = process.argv.slice(2)

/** A number is the share of the traces to send from here on, anything else asks for the time so far. */
process.on("message", async (message) => {
  if (typeof message === "number") {
    ratio = message
    return
  }
  await setTimeout(SENT)
  process.send?.(cpuTime())
})
process.on("disconnect", () => process.exit(0))
process.send?.(
  await Promise.all(
    ports.map((port) => start(port === "sends" ? Layer.provideMerge(sampling, Telemetry.layer({ url })) : Layer.empty))
  )
)
