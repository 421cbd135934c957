/** Posts to `/chat/completions`, without the fields that a server does not take. */
import { Clock, Effect, Result } from "effect"
import * as AiError from "effect/ai/AiError"
import * as Headers from "effect/http/Headers"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { readText } from "../internal/readText.ts"
import { failure, refusedWith } from "./chatCompletionChunks.ts"

/** Says what happened; the body of a refusal may repeat the prompt, so it is left out. */
const refusal = ({ headers, status }: HttpClientResponse.HttpClientResponse, now: number): AiError.AiError => {
  if (status !== 429) return refusedWith(status)
  const header = headers["retry-after"]
  const after = header === undefined ? null : Headers.parseRetryAfter(header)
  return failure(
    new AiError.RateLimitError(
      after !== null && Result.isSuccess(after) ? { retryAfter: Headers.retryAfterDelay(after.success, now) } : {}
    )
  )
}

export const disconnected = () => failure(new AiError.InternalProviderError({ description: "the connection was lost" }))

/** Which field a server does not take. Reasoning models refuse a temperature, older servers a schema. */
const refusedField = (body: string): string => /temperature/i.test(body) ? "temperature" : "response_format"

export const makePostCompletion = (
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  model: string
) => {
  const inSpan = Effect.withSpan(`chat ${model}`, {
    kind: "client",
    attributes: { "gen_ai.operation.name": "chat", "gen_ai.request.model": model }
  })
  // Remembered for as long as the model is in use, so that later requests are not refused first.
  let refused: ReadonlySet<string> = new Set()

  const post = (
    body: Readonly<Record<string, unknown>>,
    omitted = refused
  ): Effect.Effect<HttpClientResponse.HttpClientResponse, AiError.AiError> =>
    Effect.gen(function*() {
      const sent = Object.entries(body).filter(([field]) => !omitted.has(field))
      const response = yield* client.execute(
        HttpClientRequest.bodyJsonUnsafe(request, Object.fromEntries(sent))
      ).pipe(Effect.mapError(disconnected), inSpan)
      if (response.status === 200) {
        refused = omitted
        return response
      }
      if (response.status === 400 || response.status === 422) {
        const field = refusedField(yield* Effect.orElseSucceed(readText(response), () => ""))
        if (field in body && !omitted.has(field)) return yield* post(body, new Set([...omitted, field]))
      }
      return yield* refusal(response, yield* Clock.currentTimeMillis)
    })
  return post
}
