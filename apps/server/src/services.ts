/** The whole service over the storage that is set. */
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Layer from "effect/Layer"
import type { Settings } from "./Settings.ts"
import * as Storage from "./storage/Storage.ts"

export const services = ({ memoryMegabytes, storage }: Settings) =>
  Tributary.layer.pipe(
    Layer.provideMerge(Storage.layer(storage)),
    Layer.provide(Extract.layer),
    Layer.provide(Layer.succeed(Tributary.SegmentBudget, memoryMegabytes * 1_000_000))
  )
