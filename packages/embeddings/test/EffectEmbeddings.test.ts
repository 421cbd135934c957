import { embedderContract } from "@tributary/contract/PartsContract"
import { Embedder, ModelUnavailable } from "@tributary/core/ports/Embedder"
import { Effect, Layer } from "effect"
import * as AiError from "effect/ai/AiError"
import * as EmbeddingModel from "effect/ai/EmbeddingModel"
import { assert, describe, it } from "vitest"
import * as EffectEmbeddings from "../src/EffectEmbeddings.ts"

const layerOf = (
  vectorOf: (text: string) => Array<number> | null,
  options: Partial<EffectEmbeddings.Options>,
  asked: Array<ReadonlyArray<string>> = []
) => {
  const provider = EmbeddingModel.make({
    embedMany: ({ inputs }) => {
      asked.push(inputs)
      const results = inputs.map(vectorOf)
      const isWhole = results.every((vector) => vector !== null)
      return isWhole
        ? Effect.succeed({ results, usage: { inputTokens: undefined } })
        : Effect.fail(AiError.make({
          module: "Test",
          method: "embedMany",
          reason: new AiError.InternalProviderError({ description: `cannot embed ${inputs.join()}` })
        }))
    }
  })
  return EffectEmbeddings.layer({ model: "m", ...options }).pipe(
    Layer.provide(Layer.effect(EmbeddingModel.EmbeddingModel, provider))
  )
}

const embed = (
  texts: ReadonlyArray<string>,
  purpose: "document" | "query",
  vectorOf: (text: string) => Array<number> | null,
  options: Partial<EffectEmbeddings.Options> = {}
) => {
  const asked: Array<ReadonlyArray<string>> = []
  return Effect.runPromise(
    Effect.gen(function*() {
      const embedder = (yield* Embedder)!
      return { asked, vectors: yield* embedder.embed(texts, purpose) }
    }).pipe(Effect.provide(layerOf(vectorOf, options, asked)))
  )
}

const model = await Effect.runPromise(
  Effect.provide(Effect.service(Embedder), layerOf((text) => [1, 10 * Number(text[7])], { batch: 3 }))
)
embedderContract("of effect/ai", model!)

describe("An EmbeddingModel of effect/ai", () => {
  it("embeds in order, each text with the prefix of its purpose", async () => {
    const options = { documentPrefix: "document: ", queryPrefix: "query: " }
    const { asked, vectors } = await embed(["a", "bb", "ccc"], "document", (text) => [text.length, 1], options)
    assert.deepStrictEqual(asked, [["document: a", "document: bb", "document: ccc"]])
    assert.deepStrictEqual(vectors, [[11, 1], [12, 1], [13, 1]])
    assert.deepStrictEqual((await embed(["a"], "query", () => [1], options)).asked, [["query: a"]])
  })

  it.each([
    ["fails", () => null, {}],
    ["answers vectors of different lengths", (text: string) => Array.from(text, () => 1), {}],
    ["answers vectors of another length than was said", () => [1, 2], { dimensions: 3 }]
  ])("that %s is unavailable, and its texts are not repeated", async (_, vectorOf, options) => {
    const failure = await embed(["secret", "other text"], "document", vectorOf, options).catch((error: unknown) =>
      error
    )
    assert.instanceOf(failure, ModelUnavailable)
    assert.notInclude(String((failure as ModelUnavailable).cause), "secret")
  })
})
