/** The answerer that needs no language model: it answers in the documents' own sentences. */
import { extractAnswer } from "@tributary/retrieval"
import { Effect, Layer } from "effect"
import { Answerer } from "./ports/Answerer.ts"

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

export const layer = Layer.succeed(Answerer, {
  model: "extractive",
  answer: (question, passages) =>
    Effect.sync(() => {
      const sentences = extractAnswer(
        question.query,
        passages.map(({ document, text }) => ({ title: document.title ?? "", text }))
      )
      if (sentences.length === 0) return null
      return {
        response: sentences.map(({ end, passage, start }, index) =>
          `${inOneLine(passages[passage]!.text.slice(start, end))} [${index + 1}]`
        ).join(" "),
        quotes: sentences
      }
    })
})
