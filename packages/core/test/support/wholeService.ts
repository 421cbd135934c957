/** Every service of core over memory, with texts as they are sent. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { TextExtractor } from "../../src/ports/TextExtractor.ts"
import * as Tributary from "../../src/Tributary.ts"

export const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content })
})

export const service = Tributary.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provideMerge(Memory.layer),
  Layer.provide(extractor)
)
