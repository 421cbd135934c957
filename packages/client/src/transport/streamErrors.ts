/** Reads the error body of a refused stream. No operation decodes it, so this does. */
import { RateLimitExceeded } from "@tributary/core/model/Error"
import * as Body from "@tributary/http/api/ErrorBody"
import { Effect, Schema } from "effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

const SpentWindow = Schema.Struct({
  endpoint: RateLimitExceeded.fields.endpoint,
  limit: Schema.Int,
  remaining: Schema.Int,
  window_seconds: Schema.Int,
  retry_after: Schema.Int
})

const Refusal = Schema.Union([
  Body.BadRequest,
  Body.AuthenticationFailed,
  Body.PermissionDenied,
  Body.InsufficientScopes,
  Body.NotFound,
  Body.PayloadTooLarge,
  Body.UnsupportedMediaType,
  Body.ValidationFailed,
  Body.InternalServerError,
  Body.ServiceUnavailable
])

const decodeWindow = Schema.decodeUnknownEffect(SpentWindow)
const decodeRefusal = Schema.decodeUnknownEffect(Refusal)

/** Always fails: with the failure in the response, or because the response contains none. */
export const streamErrorOf = Effect.fnUntraced(function*(response: HttpClientResponse.HttpClientResponse) {
  const body = yield* response.json
  return response.status === 429
    ? yield* new RateLimitExceeded(yield* decodeWindow(body))
    : yield* yield* decodeRefusal(body)
})
