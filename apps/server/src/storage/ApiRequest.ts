/** A request to the API and its response without HTTP, for commands: over the control channel, or within the process. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The name of the request on the control channel. */
export const API = "api"

export const ApiRequest = Schema.Struct({
  method: Schema.String,
  /** With its query. */
  path: Schema.String,
  /** The workspace or the operator, in the form of `LocalApi`. */
  authorization: Schema.String,
  body: Schema.String,
  /** The media type of a body that is not JSON; such a body is in Base64. */
  content_type: Schema.optionalKey(Schema.String)
})
export type ApiRequest = typeof ApiRequest.Type

export const ApiResponse = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String
})
export type ApiResponse = typeof ApiResponse.Type

export type ApiHandler = (request: ApiRequest) => Effect.Effect<ApiResponse>
