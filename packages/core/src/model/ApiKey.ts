/** API keys: issued once, kept as a hash, listed without their secret. */
import { Option, Schema } from "effect"
import { ApiKeyId, parseId } from "./Id.ts"
import { Principal } from "./Principal.ts"
import { Scope } from "./Scope.ts"
import { Name } from "./Text.ts"
import { ClientTimestamp, Timestamp } from "./Timestamp.ts"

export const ApiKey = Schema.Struct({
  key_id: ApiKeyId,
  /** A name for people. */
  name: Schema.String,
  /** The last four characters of the secret. */
  hint: Schema.String,
  /** What the key may do. */
  scopes: Schema.Array(Scope),
  /** When it was made. */
  created_at: Timestamp,
  /** Who made it. */
  created_by: Principal,
  /** When the key was last used, at most a minute late. Null: never. */
  last_used_at: Schema.NullOr(Timestamp),
  /** From when on the key is refused like a revoked one. Null: it does not expire. */
  expires_at: Schema.NullOr(Timestamp),
  /** When the key was revoked. Null: it is not. */
  revoked_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** The key of ours that a principal is; null for a person, the operator, and a host's own principals. */
export const keyOf = ({ id, type }: Principal): ApiKeyId | null =>
  type === "api_key" ? Option.getOrNull(parseId(ApiKeyId)(id)) : null

/** A key with its secret, as it is shown once, at creation. */
export const IssuedApiKey = Schema.Struct({
  ...ApiKey.fields,
  /** The key itself. Shown here once. */
  secret: Schema.String
}).annotate({
  identifier: "IssuedApiKey"
})
export type IssuedApiKey = typeof IssuedApiKey.Type

export const NewApiKey = Schema.Struct({
  /** A name for people. */
  name: Name,
  /** What the key may do. */
  scopes: Schema.Array(Scope).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  /** In the future: from when on the key is refused like a revoked one. Absent or null: it does not expire. */
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
