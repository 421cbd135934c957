/**
 * The format of a token: its claims, and a signature that depends on the hash of its key's secret. So tokens are not
 * stored, and end with their key.
 */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { hexToBytes } from "@noble/hashes/utils.js"
import { Effect, Option, Redacted, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { Scope } from "../model/Scope.ts"
import { TokenFilter } from "../model/Token.ts"
import { SecretBox } from "../secrets/SecretBox.ts"

const PREFIX = "tk_live_"

const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z_-]{1,8000})\\.([0-9A-Za-z_-]{43,80})$`)

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

export const isToken = (credential: string): boolean => credential.startsWith(PREFIX)

interface ParsedToken {
  readonly claims: Claims
  readonly payload: string
  readonly signature: string
}

/** The claims of a token; whether its key has signed them is not known yet. */
export const parseToken = (token: string): Option.Option<ParsedToken> => {
  const [, payload = "", signature = ""] = SHAPE.exec(token) ?? []
  const claims = Option.flatMap(Option.getSuccess(Base64Url.decodeString(payload)), decode)
  return Option.map(claims, (claims) => ({ claims, payload, signature }))
}

const NOTHING = Redacted.make("")

const placeOf = (payload: string, hash: string): string => `${CONTEXT}${hash}\n${payload}`

/**
 * Signs tokens. Where the server has keys, one of them signs as well: the hash of a key's secret is stored, and a copy
 * of the store must not be enough to make tokens. `hash` is that of the key of the claims.
 */
export const tokenSigning = Effect.map(SecretBox, ({ open, seal }) => {
  const sealed = (payload: string, hash: string) => Effect.option(seal(NOTHING, placeOf(payload, hash)))

  return {
    sign: Effect.fnUntraced(function*(claims: Claims, hash: string) {
      const payload = Base64Url.encode(encode(claims))
      const signature = Option.match(yield* sealed(payload, hash), {
        onNone: () => signatureOf(payload, hash),
        onSome: (seal) => seal.replaceAll(".", "-")
      })
      return `${PREFIX}${payload}.${signature}`
    }),

    isSigned: Effect.fnUntraced(function*({ payload, signature }: ParsedToken, hash: string) {
      const isOpened = yield* Effect.isSuccess(open(signature.replaceAll("-", "."), placeOf(payload, hash)))
      return isOpened || (isSame(signature, signatureOf(payload, hash)) && Option.isNone(yield* sealed(payload, hash)))
    })
  }
})
