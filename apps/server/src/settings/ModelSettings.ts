/** The settings that name models: for answers, for embeddings and for reranking. */
import * as ModelAnswerer from "@tributary/answers/model/ModelAnswerer"
import { rangeOf } from "@tributary/core/model/NumberRule"
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { failed, type UsageError } from "../UsageError.ts"
import { addressSetting, keySetting, numberIn, numberSetting, setting, textSetting, type ValuesOf } from "./Setting.ts"

const key = (variable: string, url: string) => keySetting(variable, `The key that is sent to ${url}.`)

const secondsIn = (text: string): number => Number(/^(\d+(?:\.\d+)?)\s*s?$/.exec(text.trim())?.[1] ?? NaN)

const { contextTokens, timeout: { maximum, minimum } } = ModelAnswerer.RULES
const TIMEOUT = { minimum: minimum / 1_000, maximum: maximum / 1_000 }

const SECONDS = Schema.makeFilter<string>((text) =>
  secondsIn(text) >= TIMEOUT.minimum && secondsIn(text) <= TIMEOUT.maximum
)

export const MODEL_SETTINGS = {
  answersUrl: addressSetting(
    "TRIBUTARY_ANSWERS_URL",
    "The address of a language model with the OpenAI API, such as http://127.0.0.1:11434/v1. It answers questions in its own words, and each sentence is proved by quotes.",
    "none: answers quote the documents"
  ),
  answersModel: textSetting("TRIBUTARY_ANSWERS_MODEL", "The model's name at TRIBUTARY_ANSWERS_URL."),
  answersKey: key("TRIBUTARY_ANSWERS_KEY", "TRIBUTARY_ANSWERS_URL"),
  answersContextTokens: numberSetting("TRIBUTARY_ANSWERS_CONTEXT_TOKENS", contextTokens, {
    description: "The number of tokens of passages in a prompt.",
    fallback: ModelAnswerer.CONTEXT_TOKENS
  }),
  answersTimeout: setting("TRIBUTARY_ANSWERS_TIMEOUT", {
    description: "The seconds that the language model may be silent before the answer quotes the documents instead.",
    defaultText: "60",
    mustBe: `a number of seconds from ${TIMEOUT.minimum} to ${TIMEOUT.maximum}`,
    read: (variable) =>
      Config.schema(Schema.String.check(SECONDS), variable).pipe(Config.withDefault("60"), Config.map(secondsIn))
  }),
  embeddingsUrl: addressSetting(
    "TRIBUTARY_EMBEDDINGS_URL",
    "The address of an embedding model with the OpenAI API, such as http://127.0.0.1:11434/v1. It adds semantic search.",
    "none: keyword search"
  ),
  embeddingsModel: textSetting(
    "TRIBUTARY_EMBEDDINGS_MODEL",
    "The model's name at TRIBUTARY_EMBEDDINGS_URL. Changing it embeds every text again."
  ),
  embeddingsKey: key("TRIBUTARY_EMBEDDINGS_KEY", "TRIBUTARY_EMBEDDINGS_URL"),
  embeddingsDimensions: setting("TRIBUTARY_EMBEDDINGS_DIMENSIONS", {
    description: "The requested number of dimensions. Changing it embeds every text again.",
    defaultText: "the model's own",
    mustBe: rangeOf(OpenAiEmbeddings.RULES.dimensions),
    read: (variable) => numberIn(OpenAiEmbeddings.RULES.dimensions)(variable).pipe(Config.option)
  }),
  embeddingsDocumentPrefix: textSetting(
    "TRIBUTARY_EMBEDDINGS_DOCUMENT_PREFIX",
    "The prefix that the embedding model expects before a text of a document. Changing it embeds every text again."
  ),
  embeddingsQueryPrefix: textSetting(
    "TRIBUTARY_EMBEDDINGS_QUERY_PREFIX",
    "The prefix that the embedding model expects before a question."
  ),
  rerankerUrl: addressSetting(
    "TRIBUTARY_RERANKER_URL",
    "The address of a reranking model with /rerank, as of Cohere, Jina, Voyage and TEI. It orders the best passages of a search and of every question.",
    "none"
  ),
  rerankerModel: textSetting("TRIBUTARY_RERANKER_MODEL", "The model's name at TRIBUTARY_RERANKER_URL."),
  rerankerKey: key("TRIBUTARY_RERANKER_KEY", "TRIBUTARY_RERANKER_URL")
}

type Read = ValuesOf<typeof MODEL_SETTINGS>

/** A model behind an address. */
export interface Model {
  readonly url: string
  readonly model: string
  readonly key: Redacted.Redacted | undefined
}

export interface Answers extends Model {
  readonly contextTokens: number
  /** Milliseconds. */
  readonly timeout: number
}

export interface Embeddings extends Model {
  readonly dimensions: number | undefined
  readonly documentPrefix: string | undefined
  readonly queryPrefix: string | undefined
}

/** Null if neither is set; only one of the two is an error. */
const modelOf = (
  kind: "answers" | "embeddings" | "reranker",
  read: Read
): Effect.Effect<Model | null, UsageError> => {
  const [url, model] = [read[`${kind}Url`], read[`${kind}Model`]]
  if (Option.isNone(url) && Option.isNone(model)) return Effect.succeed(null)
  return Effect.fromOption(
    Option.map(Option.all({ url, model }), (named): Model => ({
      ...named,
      key: Option.getOrUndefined(read[`${kind}Key`])
    })),
    () => {
      const names = [MODEL_SETTINGS[`${kind}Url`], MODEL_SETTINGS[`${kind}Model`]].map(({ variable }) => variable)
      return failed(`${names.join(" and ")}: either both of them are set, or neither.`)
    }
  )
}

const withOptions = <A extends object>(options: A) => (model: Model | null): (Model & A) | null =>
  model === null ? null : { ...model, ...options }

export const modelsOf = (read: Read) =>
  Effect.all({
    answers: Effect.map(
      modelOf("answers", read),
      withOptions({ contextTokens: read.answersContextTokens, timeout: read.answersTimeout * 1_000 })
    ),
    embeddings: Effect.map(
      modelOf("embeddings", read),
      withOptions({
        dimensions: Option.getOrUndefined(read.embeddingsDimensions),
        documentPrefix: Option.getOrUndefined(read.embeddingsDocumentPrefix),
        queryPrefix: Option.getOrUndefined(read.embeddingsQueryPrefix)
      })
    ),
    reranker: modelOf("reranker", read)
  })
