/** What the start of a server says of the processes that parse files. */
import { assert, describe, it } from "@effect/vitest"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { ExtractConfinement, layer } from "@tributary/extract/Extract"
import { Effect, Layer, Logger, References } from "effect"
import { warnOfConfinement } from "../src/serve/warnOfConfinement.ts"

const NONE = { isNetworkless: false, isFiltered: false }

const warned = Effect.fnUntraced(function*(confinement: typeof NONE) {
  const lines: Array<unknown> = []
  const logger = Logger.make(({ fiber }) => {
    lines.push(fiber.getRef(References.CurrentLogAnnotations)["reason"])
  })
  yield* warnOfConfinement.pipe(
    Effect.provideService(ExtractConfinement, Promise.resolve(confinement)),
    Effect.provide(Logger.layer([logger]))
  )
  return lines
})

describe("A server's start", () => {
  it.effect("names the protection from hostile files that the system does not offer", () =>
    Effect.gen(function*() {
      const unfiltered = "no filter of system calls, which takes Linux and /usr/bin/perl"
      assert.deepStrictEqual(yield* warned(NONE), [`They have ${unfiltered}, and the server's access to the network.`])
      assert.deepStrictEqual(yield* warned({ isNetworkless: true, isFiltered: false }), [`They have ${unfiltered}.`])
      assert.deepStrictEqual(yield* warned({ isNetworkless: false, isFiltered: true }), [])
    }))

  it.live("does not depend on that protection: files are read without it", () =>
    Effect.gen(function*() {
      const { fromFile } = yield* TextExtractor
      const bytes = new TextEncoder().encode("a,b\n1,2\n")
      assert.strictEqual((yield* fromFile({ name: "a.csv", contentType: "", bytes })).text, "a: 1\nb: 2")
    }).pipe(Effect.provide(Layer.provide(layer, Layer.succeed(ExtractConfinement, Promise.resolve(NONE))))))
})
