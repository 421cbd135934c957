/** Secrets of API keys and the like: 43 base62 characters (256 bits), stored only as a hash. */
import { Effect, Redacted } from "effect"
import { sha256Hex } from "./sha256.ts"

const PREFIX = "pk_live_"
const OPERATOR_PREFIX = "op_live_"
const LENGTH = 43
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const shapeOf = (prefix: string): RegExp => new RegExp(`^${prefix}[0-9A-Za-z]{${LENGTH}}$`)

const SHAPE = shapeOf(PREFIX)
const OPERATOR_SHAPE = shapeOf(OPERATOR_PREFIX)

// The greatest multiple of 62 in a byte's range: larger bytes would favour the first characters.
const FAIR = 248

/** `length` uniformly random characters. */
export const base62 = (length: number): string => {
  let text = ""
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < FAIR && text.length < length) text += ALPHABET[byte % 62]
    }
  }
  return text
}

/** A temporary secret in a link or a cookie: equally strong, without a prefix. */
export const newTemporarySecret = (label: string) => {
  const secret = Redacted.make(base62(LENGTH), { label })
  return Effect.map(hashOf(secret), (hash) => ({ secret, hash }))
}

const TEMPORARY_SHAPE = new RegExp(`^[0-9A-Za-z]{${LENGTH}}$`)

export const isTemporarySecret = (secret: Redacted.Redacted): boolean => TEMPORARY_SHAPE.test(Redacted.value(secret))

export const newSecret = (): Redacted.Redacted => Redacted.make(PREFIX + base62(LENGTH), { label: "api key" })

/** Whether it has the form of a secret; checked before any lookup. */
export const isSecret = (secret: string): boolean => SHAPE.test(secret)

export const newOperatorSecret = (): Redacted.Redacted =>
  Redacted.make(OPERATOR_PREFIX + base62(LENGTH), { label: "operator token" })

export const isOperatorSecret = (secret: Redacted.Redacted): boolean => OPERATOR_SHAPE.test(Redacted.value(secret))

export const hintOf = (secret: Redacted.Redacted): string => Redacted.value(secret).slice(-4)

export const hashOf = (secret: Redacted.Redacted): Effect.Effect<string> => sha256Hex(Redacted.value(secret))
