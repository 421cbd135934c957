/** Reads the error body of a refused stream. No operation decodes it, so this does. */
import * as Body from "@tributary/http/api/ErrorBody"
import { Effect, Schema } from "effect"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"

const Refusal = Schema.Union([
  Body.BadRequest,
  Body.AuthenticationFailed,
  Body.PermissionDenied,
  Body.InsufficientScopes,
  Body.NotFound,
  Body.PayloadTooLarge,
  Body.UnsupportedMediaType,
  Body.RateLimitExceeded,
  Body.ValidationFailed,
  Body.InternalServerError,
  Body.ServiceUnavailable
])

const decode = Schema.decodeUnknownEffect(Refusal)

/** Always fails: with the failure in the response, or because the response contains none. */
export const streamErrorOf = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.flatMap(response.json, decode).pipe(Effect.flatMap(Effect.fail))
