/** Opens the store itself, if no server runs on it or if it can be shared: this process is then another node. */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Logging from "../service/Logging.ts"
import * as LocalApi from "./LocalApi.ts"
import { services } from "../service/services.ts"
import * as Settings from "../settings/Settings.ts"
import { overLocalApi } from "./overLocalApi.ts"

export const localStore = Effect.fnUntraced(function*(settings: Settings.Settings) {
  const context = yield* Layer.build(services(settings).pipe(Layer.provideMerge(Logging.layer(settings))))
  const handle = yield* Effect.provide(LocalApi.make(Settings.publicAddress(settings)), context)
  // Interrupted requests end before the store closes.
  const run = yield* Effect.provide(FiberSet.makeRuntimePromise(), context)
  return overLocalApi("The store", (request) => run(handle(request)))
})
