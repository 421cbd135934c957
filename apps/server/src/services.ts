/** The whole service over the storage that is set. */
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Layer from "effect/Layer"
import * as OpenIdConnect from "./OpenIdConnect.ts"
import type { Settings } from "./Settings.ts"
import * as Storage from "./storage/Storage.ts"

export const services = (settings: Settings) =>
  Tributary.layer.pipe(
    Layer.provideMerge(Storage.layer(settings.storage)),
    Layer.provide(Extract.layer),
    Layer.provide(OpenIdConnect.layer(settings)),
    Layer.provide(Layer.succeed(Tributary.SegmentBudget, settings.memoryMegabytes * 1_000_000))
  )
