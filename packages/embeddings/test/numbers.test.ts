// Numbers that make no sense, given to the layers of a host.
import { Effect } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { assert, describe, it } from "vitest"
import { make, type Options } from "../src/OpenAiEmbeddings.ts"

describe("An embedding model at an address", () => {
  it.each<readonly [name: keyof Options, value: number]>([
    ["dimensions", 0],
    ["dimensions", 1.5],
    ["batch", 0],
    ["batch", NaN],
    ["attemptTimeout", Infinity],
    ["minimumDelay", -1]
  ])("is not made with %s %d, and the error names it", async (name, value) => {
    const made = make({ url: "http://model", model: "m", [name]: value })
    const error: unknown = await Effect.runPromise(Effect.provide(made, FetchHttpClient.layer)).catch((
      error: unknown
    ) => error)
    assert.instanceOf(error, TypeError)
    assert.match(error.message, new RegExp(`^The option "${name}" must be a .+ to \\d+, not ${value}\\.$`))
  })
})
