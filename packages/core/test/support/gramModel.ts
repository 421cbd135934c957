/** A model that needs no training: texts are near when their words share beginnings, middles and ends. */
import { Effect } from "effect"
import { type EmbeddingModel, ModelUnavailable } from "../../src/ports/Embedder.ts"

const LENGTH = 512
const GRAM = 4

const hash = (text: string): number => {
  let sum = 0x811c9dc5
  for (const char of text) sum = Math.imul(sum ^ char.codePointAt(0)!, 0x01000193) >>> 0
  return sum
}

export const gramVector = (text: string, length: number = LENGTH): ReadonlyArray<number> => {
  const vector = Array.from({ length }, () => 0)
  for (const [word] of text.toLowerCase().matchAll(/\p{L}{4,}/gu)) {
    for (let at = 0; at + GRAM <= word.length; at++) vector[hash(word.slice(at, at + GRAM)) % length]! += 1
  }
  // No text is without a vector.
  vector[0]! += 0.01
  return vector
}

/** The behaviour of the model, and the requests that it got. */
export const gramModel = () => {
  const state = {
    name: "grams",
    isDown: false,
    /** The duration of each batch. */
    delay: 0,
    batch: 8,
    /** Texts of documents, in the order in which they came. */
    embedded: new Array<string>()
  }
  const model: EmbeddingModel = {
    get model() {
      return state.name
    },
    dimensions: LENGTH,
    get batch() {
      return state.batch
    },
    embed: (texts, purpose) =>
      Effect.suspend(() => {
        if (state.isDown) return Effect.fail(new ModelUnavailable({ cause: "as the test says" }))
        if (purpose === "document") state.embedded.push(...texts)
        return Effect.delay(Effect.sync(() => texts.map((text) => gramVector(text))), state.delay)
      })
  }
  return { state, model }
}
