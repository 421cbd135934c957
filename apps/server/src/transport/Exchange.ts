/**
 * One request to the API and its response as plain values, for commands without HTTP: over the data directory's socket
 * or within the process.
 */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const Sent = Schema.Struct({
  method: Schema.String,
  /** With its query. */
  path: Schema.String,
  /** The workspace or the operator, in the form of `PrivateApi`. */
  authorization: Schema.String,
  body: Schema.String,
  /** The media type of a body that is not JSON; such a body is in Base64. */
  content_type: Schema.optionalKey(Schema.String)
})
export type Sent = typeof Sent.Type

export const Answered = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Record(Schema.String, Schema.String),
  body: Schema.String
})
export type Answered = typeof Answered.Type

export type Exchange = (sent: Sent) => Effect.Effect<Answered>
