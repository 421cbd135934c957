/** The proved statements of a model's reply, including those of its repair. */
import type { Question, Quote, Statement } from "@tributary/core/ports/Answerer"
import { Stream } from "effect"
import { ModelReply } from "../statements/ModelReply.ts"
import type { PassageQuote } from "../statements/QuoteFinder.ts"
import type { ModelFailure } from "./ModelFailure.ts"
import type { ModelRequests } from "./ModelRequests.ts"
import { ReplySchema } from "./OpenAiLanguageModel.ts"
import type { Packed } from "./packPassages.ts"
import { answerPrompt } from "./prompt.ts"
import { ReplyObjects, type VerifiedReply } from "./VerifiedReply.ts"

/** At its place in the document, of which the model was shown a part. */
const quoteIn = (passages: Packed["passages"]) => ({ end, passage, start }: PassageQuote): Quote => {
  const { section, start: offset } = passages[passage]!
  const from = section.start + offset
  return { ...section.version, start: from + start, end: from + end }
}

export const provedStatements = (
  requests: ModelRequests,
  question: Question,
  query: string,
  { passages }: Packed,
  reply: VerifiedReply
): Stream.Stream<Statement, ModelFailure> => {
  const quoteOf = quoteIn(passages)
  const read = (refused: ReturnType<VerifiedReply["takeRefused"]>) =>
    requests.stream(
      question.workspaceId,
      answerPrompt(question, query, passages, refused),
      new ReplyObjects()
    ).pipe(
      Stream.provideService(ReplySchema, ModelReply),
      Stream.map((object) => reply.accept(object)),
      Stream.filter((proved) => proved !== null),
      Stream.map(({ quotes, text }): Statement => ({ _tag: "Statement", text, quotes: quotes.map(quoteOf) }))
    )
  const repair = Stream.suspend(() => reply.refused.length === 0 ? Stream.empty : read(reply.takeRefused()))
  return Stream.concat(read([]), repair)
}
