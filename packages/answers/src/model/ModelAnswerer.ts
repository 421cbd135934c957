/** The answerer that asks a language model, and lets no statement pass that its quotes do not prove. */
import { checkNumbers, wholeNumber } from "@tributary/core/model/NumberRule"
import {
  Answerer,
  type EvidenceSource,
  type Outcome,
  type Question,
  type Statement
} from "@tributary/core/ports/Answerer"
import { Effect, Layer, Stream } from "effect"
import type * as LanguageModel from "effect/ai/LanguageModel"
import { makeVerifier } from "../statements/verifyStatement.ts"
import type { ModelFailure } from "./ModelFailure.ts"
import * as ModelRequests from "./ModelRequests.ts"
import { type Packed, packPassages } from "./packPassages.ts"
import { provedStatements } from "./provedStatements.ts"
import { rewriteQuestion } from "./rewriteQuestion.ts"
import { refusalWarnings, VerifiedReply } from "./VerifiedReply.ts"
import { type Answered, withoutModel, withWarning } from "./withoutModel.ts"

export interface Options extends ModelRequests.Options {
  /** Named in every answer. */
  readonly model: string
  /** Tokens that the passages of one question may take. */
  readonly contextTokens?: number | undefined
}

/** The token budget for the passages of one question, unless a host sets another. */
export const CONTEXT_TOKENS = 16_000

const OWN_RULES = { contextTokens: wholeNumber(500, 1_000_000) }

/** What the numbers of the options have to be. */
export const RULES = { ...ModelRequests.RULES, ...OWN_RULES }

/** The user's messages, which a statement may repeat without a quote. */
const asked = ({ history, query }: Question): string =>
  [...history.filter(({ role }) => role === "user").map(({ text }) => text), query].join("\n")

export const make = Effect.fnUntraced(function*({ contextTokens = CONTEXT_TOKENS, model, ...options }: Options) {
  checkNumbers(OWN_RULES, { contextTokens })
  const requests = yield* ModelRequests.make(options)
  const { fallBack, related } = withoutModel(model)

  const answerFrom = (question: Question, source: EvidenceSource, query: string, packed: Packed) => {
    const reply = new VerifiedReply(makeVerifier(asked(question), packed.passages.map(({ text }) => text)))
    const outcome = (warnings: ReadonlyArray<string>) =>
      Effect.map(
        reply.proved > 0 ? Effect.succeed([]) : related(question, source),
        (related): Outcome => ({
          _tag: "Outcome",
          model,
          related,
          truncated: packed.truncated,
          warnings: [...refusalWarnings(reply.unproved, model), ...warnings]
        })
      )
    const proved: Stream.Stream<Statement | Outcome, ModelFailure> = provedStatements(
      requests,
      question,
      query,
      packed,
      reply
    )
    return proved.pipe(
      Stream.concat(Stream.fromEffect(Effect.suspend(() => outcome([])))),
      Stream.catchTag("ModelFailure", (failure): Answered => {
        if (reply.proved === 0) return fallBack(question, source, failure)
        // The connection may break behind the last word.
        const isWhole = reply.isComplete && reply.refused.length === 0
        const warning = `model: ${model} ${failure.message}: its answer is not complete`
        return Stream.fromEffect(outcome(isWhole ? [] : [warning]))
      })
    )
  }

  const asAsked = `model: ${model} did not rewrite the question, so the documents are searched for it as it was asked`

  const nothing: Answered = Stream.succeed({ _tag: "Outcome", model, related: [], warnings: [], truncated: false })

  const answer: Answerer["Service"]["answer"] = (question, source) =>
    Stream.unwrap(Effect.gen(function*() {
      const rewritten = yield* rewriteQuestion(requests, question)
      const query = rewritten ?? question.query
      const packed = yield* packPassages(query, source, contextTokens)
      const answered = packed.passages.length > 0 ? answerFrom(question, source, query, packed) : nothing
      return rewritten === null ? withWarning(asAsked)(answered) : answered
    })).pipe(Stream.catchTag("ModelFailure", (failure) => fallBack(question, source, failure)))

  return { answer } satisfies Answerer["Service"]
})

/** Over any `LanguageModel`, such as that of `OpenAiLanguageModel`. */
export const layer = (options: Options): Layer.Layer<Answerer, never, LanguageModel.LanguageModel> =>
  Layer.effect(Answerer, make(options))
