/** `tributary serve`: the parts of the server, and the order in which they start and stop. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { banner } from "./banner.ts"
import type { Arguments } from "../cli/Command.ts"
import * as FirstStart from "./FirstStart.ts"
import * as HttpListener from "./HttpListener.ts"
import * as Logging from "../service/Logging.ts"
import * as LocalApi from "../transport/LocalApi.ts"
import { services } from "../service/services.ts"
import * as Settings from "../settings/Settings.ts"
import * as Providers from "../service/Providers.ts"
import { collectWhenIdle } from "@tributary/node/collectWhenIdle"
import * as Telemetry from "@tributary/node/Telemetry"
import { optionsOf } from "../settings/TelemetrySettings.ts"
import { Store } from "../storage/Store.ts"
import { warnOfConfinement } from "./warnOfConfinement.ts"
import { unknownSettings } from "../settings/unknownSettings.ts"
import { unusedSettings } from "../settings/unusedSettings.ts"

const warnOf = (problem: string, variables: ReadonlyArray<string>): Effect.Effect<void> =>
  variables.length === 0
    ? Effect.void
    : Effect.logWarning(problem).pipe(Effect.annotateLogs({ variables: variables.join(", ") }))

/**
 * The last part to start is the first to stop: requests end before jobs are released, and jobs before the storage. The
 * port opens before a first start creates a key, because a failed start must not store a key that nobody has seen.
 */
const start = Effect.fnUntraced(function*(settings: Settings.Settings, demo: boolean) {
  yield* warnOf("no setting has such a name", unknownSettings(Object.keys(process.env)))
  yield* warnOf("settings have no effect", unusedSettings(settings, process.env))
  collectWhenIdle()
  // What the system offers is found out by processes, which the port does not wait for.
  yield* Effect.forkScoped(Effect.all([Providers.warnOfGit, warnOfConfinement], { concurrency: 2 }))
  const store = yield* Store
  const addresses = yield* HttpListener.listen(settings)
  const { baseUrl } = addresses
  const commands = settings.storage.kind !== "memory"
  const first = yield* store.exclusively(FirstStart.prepare({ demo, baseUrl, commands }))
  yield* store.answerCommands(yield* LocalApi.make(baseUrl))
  yield* Console.log(banner(addresses, { place: store.place, commands }, first))
  return yield* Effect.never
}, Effect.scoped)

const telemetry = ({ telemetry }: Settings.Settings) =>
  telemetry === null ? Layer.empty : Telemetry.layer(optionsOf(telemetry))

/** Runs until it is interrupted; with `demo`, a first start ingests the documentation. */
export const serve = (args: Arguments) =>
  Effect.flatMap(Settings.load, (settings) =>
    Effect.provide(
      start(settings, args.has("demo")),
      services(settings).pipe(Layer.provideMerge(telemetry(settings)), Layer.provideMerge(Logging.layer(settings)))
    ))
