/**
 * The format of a token: its claims, and a signature with the hash of its key's secret. So tokens are not stored, and
 * end with their key.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { hexToBytes } from "@noble/hashes/utils.js"
import { Option, Redacted, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Scope } from "../model/Scope.ts"
import { TokenFilter } from "../model/Token.ts"

const PREFIX = "tk_live_"

const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z_-]{1,8000})\\.([0-9A-Za-z_-]{43})$`)

/** Separates these signatures from others with the same hash. */
const CONTEXT = "tributary token 1\n"

const Claims = Schema.Struct({
  key_id: Schema.String,
  /** Milliseconds since 1970. */
  expires_at: Schema.Int,
  scopes: Schema.Array(Scope),
  filter: Schema.NullOr(TokenFilter)
})
export type Claims = typeof Claims.Type

const Form = Schema.fromJsonString(Claims)

const decode = Schema.decodeUnknownOption(Form)
const encode = Schema.encodeSync(Form)

const encoder = new TextEncoder()

const signatureOf = (payload: string, hash: string): string =>
  Base64Url.encode(hmac(sha256, hexToBytes(hash), encoder.encode(CONTEXT + payload)))

/** Compares in constant time. */
const isSame = (one: string, other: string): boolean => {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

export const isToken = (credential: Redacted.Redacted): boolean => Redacted.value(credential).startsWith(PREFIX)

/** `hash` is the hash of the secret of the claims' key. */
export const sign = (claims: Claims, hash: string): string => {
  const payload = Base64Url.encode(encode(claims))
  return `${PREFIX}${payload}.${signatureOf(payload, hash)}`
}

/** The claims of a token, and whether its key has signed them. */
export const read = (token: Redacted.Redacted) => {
  const [, payload = "", signature = ""] = SHAPE.exec(Redacted.value(token)) ?? []
  const claims = Option.flatMap(Option.getSuccess(Base64Url.decodeString(payload)), decode)
  return Option.map(claims, (claims) => ({
    claims,
    isSignedWith: (hash: string) => isSame(signature, signatureOf(payload, hash))
  }))
}
