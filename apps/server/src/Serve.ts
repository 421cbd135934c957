/** `tributary serve`: the parts of the server, and the order in which they start and stop. */
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { banner } from "./banner.ts"
import * as FirstStart from "./FirstStart.ts"
import * as HttpListener from "./HttpListener.ts"
import * as Logging from "./Logging.ts"
import * as Settings from "./Settings.ts"

const services = ({ memoryMegabytes }: Settings.Settings) =>
  Tributary.layer.pipe(
    Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer)),
    Layer.provide(Layer.succeed(Tributary.SegmentBudget, memoryMegabytes * 1_000_000))
  )

/** What started last stops first: the requests end before the jobs are released, and these before the storage. */
const start = Effect.fnUntraced(function*(settings: Settings.Settings, demo: boolean) {
  const first = yield* FirstStart.prepare({ demo })
  const address = yield* HttpListener.listen(settings)
  yield* Console.log(banner(address, first))
  return yield* Effect.never
}, Effect.scoped)

/** Runs until it is interrupted; with `demo`, a first start takes in the documentation. */
export const serve = (given: ReadonlySet<string>) =>
  Effect.flatMap(Settings.load, (settings) =>
    Effect.provide(
      start(settings, given.has("demo")),
      services(settings).pipe(Layer.provideMerge(Logging.layer(settings)))
    ))
