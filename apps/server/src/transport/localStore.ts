/** Opens the store itself, if no server runs on it or if it can be shared: this process is then another node. */
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Logging from "../serve/Logging.ts"
import * as PrivateApi from "../serve/PrivateApi.ts"
import { services } from "../serve/services.ts"
import * as Settings from "../settings/Settings.ts"
import { inProcess } from "./inProcess.ts"

export const localStore = Effect.fnUntraced(function*(settings: Settings.Settings) {
  const context = yield* Layer.build(services(settings).pipe(Layer.provideMerge(Logging.layer(settings))))
  const exchange = yield* Effect.provide(PrivateApi.make(Settings.publicAddress(settings)), context)
  // Interrupted requests end before the store closes.
  const run = yield* Effect.provide(FiberSet.makeRuntimePromise(), context)
  return inProcess("The store", (sent) => run(exchange(sent)))
})
