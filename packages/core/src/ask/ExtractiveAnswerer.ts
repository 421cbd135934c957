/** The answerer that needs no language model: it answers in the documents' own sentences. */
import { composeAnswer, extractAnswer, spokenOf } from "@tributary/retrieval"
import { Effect, Layer } from "effect"
import { textOf } from "./evidenceText.ts"
import { Answerer } from "../ports/Answerer.ts"

export const layer = Layer.succeed(Answerer, {
  model: "extractive",
  answer: (given, found) =>
    Effect.sync(() => {
      const question = { ...given, query: spokenOf(given.query) ?? given.query }
      const passages = found.map(textOf)
      const extract = extractAnswer(question, passages)
      if (extract.sentences.length === 0) return null
      return {
        response: composeAnswer(question, extract, passages),
        quotes: extract.sentences.map(({ end, passage, start }) => ({ passage, start, end }))
      }
    })
})
