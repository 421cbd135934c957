/** `tributary serve`: the parts of the server, and the order in which they start and stop. */
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { banner } from "./banner.ts"
import type { Command } from "./CommandLine.ts"
import * as FirstStart from "./FirstStart.ts"
import * as HttpListener from "./HttpListener.ts"
import * as Logging from "./Logging.ts"
import * as Settings from "./Settings.ts"

const services = Tributary.layer.pipe(
  Layer.provide(Layer.mergeAll(Memory.layer, Extract.layer))
)

/** What started last stops first: the requests end before the jobs are released, and these before the storage. */
const start = Effect.fnUntraced(function*(settings: Settings.Settings, demo: boolean) {
  const first = yield* FirstStart.prepare({ demo })
  const baseUrl = yield* HttpListener.listen(settings)
  yield* Console.log(banner(baseUrl, first))
  return yield* Effect.never
}, Effect.scoped)

export const serve = {
  name: "serve",
  summary: "Runs the server until it is told to stop (SIGTERM or Ctrl-C).",
  flags: { demo: "on an empty store, takes in the documentation of Tributary and asks it a question" },
  run: (given: ReadonlySet<string>) =>
    Effect.flatMap(Settings.load, (settings) =>
      start(settings, given.has("demo")).pipe(
        Effect.provide(services),
        Effect.provide(Logging.layer(settings))
      ))
} satisfies Command<unknown>
