/** The answerer that needs no language model: it answers in the documents' own sentences. */
import { extractAnswer } from "@tributary/retrieval"
import { Effect, Layer } from "effect"
import { Answerer } from "./ports/Answerer.ts"

/** On one line, and with nothing in it that looks like a marker of ours: `[12]` becomes `(12)`. */
const told = (quote: string): string => quote.replaceAll(/\s+/g, " ").replaceAll(/\[(\d+)\]/g, "($1)").trim()

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
          `${told(passages[passage]!.text.slice(start, end))} [${index + 1}]`
        ).join(" "),
        quotes: sentences
      }
    })
})
