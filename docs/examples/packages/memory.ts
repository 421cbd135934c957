/** Every storage port in memory, for the services of `@tributary/core/Tributary`. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Layer } from "effect"

export const service = Layer.provide(
  Tributary.layer,
  Layer.mergeAll(Memory.layer, Extract.layer, ExtractiveAnswerer.layer)
)
