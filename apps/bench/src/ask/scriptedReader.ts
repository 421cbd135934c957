/** A language model that knows the answers: it quotes a sentence with one, or says that no passage has one. */
import { Effect, Layer, Stream } from "effect"
import * as LanguageModel from "effect/ai/LanguageModel"
import type * as Response from "effect/ai/Response"
import { graderOf } from "./grade.ts"
import type { SetQuestion } from "./questionSets.ts"

const PASSAGE = /<passage id="(\d+)" title="([^"]*)" date="[^"]*">\n([^]*?)\n<\/passage>/g

const QUESTION = /<question>([^]*?)<\/question>/

/** Sentences and lines, and paragraphs for longer answers. */
const stretches = (text: string): ReadonlyArray<string> =>
  [...text.split(/(?<=[.!?])\s+|\n/), ...text.split(/\n\s*\n/), text].map((stretch) => stretch.trim())
    .filter((stretch) => stretch !== "")

const plain = (text: string): string => text.replaceAll("&quot;", "\"").replaceAll("&lt;", "<").replaceAll("&amp;", "&")

const reply = (question: SetQuestion | undefined, prompt: string) => {
  if (question?.gold === undefined) return { statements: [] }
  const holds = graderOf({ ...question, strict: false, gold_ts: false })
  for (const [, id, title = "", text = ""] of prompt.matchAll(PASSAGE)) {
    const quote = stretches(text).find((stretch) => holds([{ text: stretch, document: null, title: plain(title) }]))
    if (quote !== undefined) return { statements: [{ text: quote, quotes: [{ passage: Number(id), quote }] }] }
  }
  return { statements: [] }
}

const answerTo = (questions: ReadonlyArray<SetQuestion>) => {
  const byText = new Map(questions.map((question) => [question.q.trim(), question]))
  return ({ prompt }: LanguageModel.ProviderOptions): Stream.Stream<Response.StreamPartEncoded> => {
    const text =
      prompt.content.map(({ content }) =>
        typeof content === "string" ? content : content.map((part) => part.type === "text" ? part.text : "").join("")
      ).at(-1) ?? ""
    const question = byText.get(QUESTION.exec(text)?.[1]?.trim() ?? "")
    return Stream.succeed({ type: "text-delta", id: "0", delta: JSON.stringify(reply(question, text)) })
  }
}

export const layer = (questions: ReadonlyArray<SetQuestion>): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.effect(
    LanguageModel.LanguageModel,
    LanguageModel.make({ streamText: answerTo(questions), generateText: () => Effect.succeed([]) })
  )
