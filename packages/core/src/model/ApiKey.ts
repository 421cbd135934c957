/** API keys: issued once, kept as a hash, listed without their secret. */
import { Option, Schema } from "effect"
import { ApiKeyId, parseId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import { Scope } from "./Scope.ts"
import { Name } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"

export const ApiKey = Schema.Struct({
  key_id: ApiKeyId,
  name: Schema.String,
  /** The last four characters of the secret. */
  hint: Schema.String,
  scopes: Schema.Array(Scope),
  created_at: Timestamp,
  created_by: Principal,
  /** At most one minute late. */
  last_used_at: Schema.NullOr(Timestamp),
  expires_at: Schema.NullOr(Timestamp),
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** The key of ours that a principal is; null for a person, the operator, and a host's own principals. */
export const keyOf = ({ id, type }: Principal): ApiKeyId | null =>
  type === "api_key" ? Option.getOrNull(parseId(ApiKeyId)(id)) : null

/** A key with its secret, as it is shown once, at creation. */
export const IssuedApiKey = Schema.Struct({ ...ApiKey.fields, secret: Schema.String }).annotate({
  identifier: "IssuedApiKey"
})
export type IssuedApiKey = typeof IssuedApiKey.Type

export const NewApiKey = Schema.Struct({
  name: Name,
  scopes: Schema.Array(Scope).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  expires_at: Schema.optionalKey(Schema.NullOr(ClientTimestamp))
})
export type NewApiKey = typeof NewApiKey.Type

/** A day in UTC, as `YYYY-MM-DD`. */
export type Day = string

/** How many requests a key made on a day. */
export const KeyTraffic = Schema.Struct({ key_id: ApiKeyId, day: Schema.String, requests: Schema.Int }).annotate({
  identifier: "KeyTraffic"
})
export type KeyTraffic = typeof KeyTraffic.Type
