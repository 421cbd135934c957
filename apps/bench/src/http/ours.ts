/** The service in memory, as a separate process. */
import { Effect, Layer } from "effect"
import { report } from "./child.ts"
import * as CountedIndex from "./countedIndex.ts"
import { fill, listen, newWorkspace, services } from "./service.ts"

const serve = Effect.gen(function*() {
  const empty = yield* newWorkspace("Empty")
  const growing = yield* newWorkspace("Growing")
  const searched = yield* newWorkspace("Searched")
  yield* fill(searched.workspace, searched.connectorId)
  // Small segments are merged a minute after the last change.
  yield* Effect.sleep("70 seconds")
  report({
    port: yield* listen,
    key: empty.secret,
    searchKey: searched.secret,
    ingestKey: growing.secret,
    connectorId: growing.connectorId
  }, CountedIndex.indexTime)
  return yield* Effect.never
})

const counted = Layer.provide(services, CountedIndex.layer)

await Effect.runPromise(serve.pipe(Effect.scoped, Effect.provide(counted)))
