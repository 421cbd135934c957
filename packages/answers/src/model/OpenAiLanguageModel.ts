/** Effect's `LanguageModel` over any server that answers `POST /chat/completions` as OpenAI does. */
import { endpointOf } from "@tributary/core/endpointOf"
import { Context, Effect, Layer, type Redacted, type Schema, Stream } from "effect"
import type * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import { toCodecOpenAI } from "effect/ai/OpenAiStructuredOutput"
import type * as Prompt from "effect/ai/Prompt"
import type * as Response from "effect/ai/Response"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as ModelHttpClient from "../internal/ModelHttpClient.ts"
import { readChunks, unreadable } from "./chatCompletionChunks.ts"
import { disconnected, makePostCompletion } from "./postCompletion.ts"

export interface Options {
  /** The base address of the API, such as `https://api.openai.com/v1`, or the address of `/chat/completions` itself. */
  readonly url: string | URL
  /** As the server calls it. */
  readonly model: string
  /** Sent as a bearer token; local servers rarely need one. */
  readonly key?: Redacted.Redacted | undefined
}

/** The schema of a streamed reply: `LanguageModel.streamText` takes none. */
export const ReplySchema = Context.Reference<Schema.Codec<unknown> | null>("@tributary/answers/model/ReplySchema", {
  defaultValue: () => null
})

const plainText = (content: Prompt.Message["content"]): string =>
  typeof content === "string" ? content : content.map((part) => part.type === "text" ? part.text : "").join("")

const responseFormat = (schema: Schema.Codec<unknown>, name: string) => ({
  type: "json_schema",
  json_schema: { name, strict: true, schema: toCodecOpenAI(schema).jsonSchema }
})

export const make = Effect.fnUntraced(function*({ key, model, url }: Options) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.post(endpointOf(url, "/chat/completions")).pipe(
    key === undefined ? HttpClientRequest.acceptJson : HttpClientRequest.bearerToken(key),
    HttpClientRequest.accept("text/event-stream")
  )
  const post = makePostCompletion(client, request, model)

  const streamText = (
    { prompt, responseFormat: format }: LanguageModel.ProviderOptions
  ): Stream.Stream<Response.StreamPartEncoded, AiError.AiError> =>
    Stream.unwrap(Effect.gen(function*() {
      const streamed = yield* ReplySchema
      const schema = format.type === "json" ? format.schema as Schema.Codec<unknown> : streamed
      const response = yield* post({
        model,
        messages: prompt.content.map(({ content, role }) => ({ role, content: plainText(content) })),
        stream: true,
        temperature: 0,
        ...(schema === null
          ? {}
          : { response_format: responseFormat(schema, format.type === "json" ? format.objectName : "reply") })
      })
      // A server that cannot stream sends one object.
      if (response.headers["content-type"]?.startsWith("application/json")) return yield* unreadable()
      return readChunks(Stream.mapError(response.stream, disconnected))
    }))

  return yield* LanguageModel.make({
    codecTransformer: toCodecOpenAI,
    streamText,
    generateText: (options) =>
      Effect.map(Stream.runCollect(streamText(options)), (parts) => {
        const text = parts.map((part) => part.type === "text-delta" ? part.delta : "").join("")
        return [{ type: "text", text }, ...parts.filter((part) => part.type === "finish")]
      })
  })
})

/** Over the `HttpClient` that it is given. */
export const layerClient = (
  options: Options
): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))

/** Over the platform's `fetch`. */
export const layer = (options: Options): Layer.Layer<LanguageModel.LanguageModel> =>
  Layer.provide(layerClient(options), ModelHttpClient.layer)
