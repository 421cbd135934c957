/** API keys: issued once, kept as a hash, listed without their secret. */
import { Option, Schema } from "effect"
import { ApiKeyId, parseId } from "./Id.ts"
import { optional } from "./optional.ts"
import { Principal } from "./Principal.ts"
import { Scope } from "./Scope.ts"
import { Name } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"

export const ApiKey = Schema.Struct({
  key_id: ApiKeyId,
  /** The display name. */
  name: Schema.String,
  /** The last four characters of the secret. */
  hint: Schema.String,
  /** The scopes of the key. */
  scopes: Schema.Array(Scope),
  /** When it was created. */
  created_at: Timestamp,
  /** Who created it. */
  created_by: Principal,
  /** When the key was last used, accurate to a minute. Null: never. */
  last_used_at: Schema.NullOr(Timestamp),
  /** When the key expires. Null: never. */
  expires_at: Schema.NullOr(Timestamp),
  /** When the key was revoked. Null: it is not revoked. */
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** The key of ours that a principal is; null for a person, the operator, and a host's own principals. */
export const keyOf = ({ id, type }: Principal): ApiKeyId | null =>
  type === "api_key" ? Option.getOrNull(parseId(ApiKeyId)(id)) : null

/** A key with its secret, as it is shown once, at creation. */
export const IssuedApiKey = Schema.Struct({
  ...ApiKey.fields,
  /** The key itself, shown only here. */
  secret: Schema.String
}).annotate({
  identifier: "IssuedApiKey"
})
export type IssuedApiKey = typeof IssuedApiKey.Type

export const NewApiKey = Schema.Struct({
  /** The display name. */
  name: Name,
  /** The scopes of the key. */
  scopes: Schema.Array(Scope).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  /** When the key expires, which must be in the future. Absent or null: never. */
  expires_at: optional(ClientTimestamp)
})
export type NewApiKey = typeof NewApiKey.Type

/** A day in UTC, as `YYYY-MM-DD`. */
export type Day = string

/** How many requests a key made on a day. */
export const KeyTraffic = Schema.Struct({ key_id: ApiKeyId, day: Schema.String, requests: Schema.Int }).annotate({
  identifier: "KeyTraffic"
})
export type KeyTraffic = typeof KeyTraffic.Type
