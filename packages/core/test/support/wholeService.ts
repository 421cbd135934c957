/** Every service of core over memory, with texts as they are sent. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { TextExtractor } from "../../src/ports/TextExtractor.ts"
import * as Tributary from "../../src/Tributary.ts"

export const extractor = Layer.mock(TextExtractor)({
  fromMarkup: (content) => Effect.succeed({ title: null, text: content }),
  fromFile: ({ name }) => Effect.succeed({ title: name, text: `The file ${name}.` })
})

/** The services over memory, of which a test may have replaced ports. */
export const serviceOver = (ports: typeof Memory.layer) =>
  Tributary.layer.pipe(
    Layer.provide(ExtractiveAnswerer.layer),
    Layer.provideMerge(ports),
    Layer.provide(extractor)
  )

export const service = serviceOver(Memory.layer)

type Call = (...parameters: Array<never>) => Promise<unknown>

const { subtle } = crypto

/** Calls of the platform's cryptography: it is asynchronous, and ignores the test clock. */
const pending = new Set<Promise<unknown>>()

const counted = (call: Call): Call => (...parameters) => {
  const result = call.apply(subtle, parameters)
  pending.add(result)
  return result.finally(() => pending.delete(result))
}

for (const name of ["decrypt", "digest", "encrypt", "importKey"] as const) {
  Object.assign(subtle, { [name]: counted(subtle[name]) })
}

// Declared here, because the package has no types of Node.
declare const setImmediate: (turn: () => void) => void

/** Long work takes a turn of the event loop for each of its slices: more of them on a slow machine. */
const turns = Effect.promise(async () => {
  for (let turn = 0; turn < 20 || pending.size > 0; turn++) await new Promise<void>((resolve) => setImmediate(resolve))
})

/** Lets the background work catch up: each step of the clock is another chance for it. */
export const settle = (seconds = 20) =>
  Effect.repeat(Effect.andThen(TestClock.adjust("1 second"), turns), { times: seconds - 1 })
