/**
 * Encrypts secrets with AES-256-GCM, bound to their place.
 *
 * The format is `1.<key id>.<nonce>.<ciphertext>`, the last two in hexadecimal. The first key encrypts and every key
 * decrypts, so a new key is put first, and the old one is removed when nothing is encrypted with it any more.
 */
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { sha256Hex } from "../internal/sha256.ts"

/** No key decrypts it, or there are no keys. The message is for operators. */
export class Sealed extends Schema.TaggedError<Sealed>()("Sealed", { message: Schema.String }) {}

export interface Opened {
  readonly text: Redacted.Redacted
  /** Whether it was encrypted with another key than the first. */
  readonly isStale: boolean
}

export interface Box {
  /** `place` is authenticated: the secret can be decrypted only for the same place. */
  seal(text: Redacted.Redacted, place: string): Effect.Effect<string, Sealed>
  open(sealed: string, place: string): Effect.Effect<Opened, Sealed>
}

const NO_KEYS = new Sealed({
  message:
    "This server has no keys to keep secrets with. Its operator has to set TRIBUTARY_ENCRYPTION_KEYS, or its host the option encryptionKeys."
})

/** What fails for want of a key says so to its workspace alone. The operator, who has the keys, needs to know it once. */
const warnings = () => {
  const reported = new Set<string>()
  return (id: string) =>
    Effect.suspend(() => {
      if (reported.has(id)) return Effect.void
      reported.add(id)
      return Effect.logWarning(
        "stored secrets are encrypted with a key that is not configured: their connections and webhooks fail without it"
      ).pipe(Effect.annotateLogs({ key: id }))
    })
}

const keyOf = (sealed: string): string => sealed.split(".", 2)[1] ?? ""

const withoutKeys = (): Box => {
  const warn = warnings()
  return {
    seal: () => Effect.fail(NO_KEYS),
    open: (sealed) => Effect.andThen(warn(keyOf(sealed)), Effect.fail(NO_KEYS))
  }
}

/** Refuses secrets unless the host provides keys. */
export const SecretBox = Context.Reference<Box>("@tributary/core/SecretBox", { defaultValue: withoutKeys })

export const KEY_BYTES = 32

const VERSION = "1"
const NONCE_BYTES = 12
const bytes = (digits: string) => new Uint8Array(hexToBytes(digits))
const encoder = new TextEncoder()

const imported = Effect.fnUntraced(function*(key: Redacted.Redacted<Uint8Array<ArrayBuffer>>) {
  const bytes = Redacted.value(key)
  const id = (yield* sha256Hex(bytes)).slice(0, 8)
  const cryptoKey = yield* Effect.promise(() =>
    crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
  )
  return { id, cryptoKey }
})

const algorithm = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
  name: "AES-GCM",
  iv,
  additionalData: encoder.encode(place)
})

/** Keys of 32 bytes each; without any, secrets are refused. */
export const layer = (keys: ReadonlyArray<Redacted.Redacted<Uint8Array<ArrayBuffer>>>) =>
  Layer.effect(
    SecretBox,
    Effect.gen(function*() {
      const known = yield* Effect.forEach(keys, imported)
      const [first] = known
      if (first === undefined) return withoutKeys()
      const warn = warnings()

      return {
        seal: Effect.fnUntraced(function*(text, place) {
          const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
          const plain = encoder.encode(Redacted.value(text))
          const sealed = yield* Effect.promise(() =>
            crypto.subtle.encrypt(algorithm(nonce, place), first.cryptoKey, plain)
          )
          return [VERSION, first.id, bytesToHex(nonce), bytesToHex(new Uint8Array(sealed))].join(".")
        }),
        open: Effect.fnUntraced(function*(sealed, place) {
          const [version, id, nonce = "", ciphertext = ""] = sealed.split(".")
          const key = version === VERSION ? known.find((key) => key.id === id) : undefined
          if (key === undefined) {
            yield* warn(keyOf(sealed))
            return yield* new Sealed({ message: "No key of TRIBUTARY_ENCRYPTION_KEYS opens a stored secret." })
          }
          const plain = yield* Effect.tryPromise({
            try: () => crypto.subtle.decrypt(algorithm(bytes(nonce), place), key.cryptoKey, bytes(ciphertext)),
            catch: () => new Sealed({ message: "A stored secret was changed, or belongs to another place." })
          })
          const text = Redacted.make(new TextDecoder().decode(plain), { label: "secret" })
          return { text, isStale: key !== first }
        })
      }
    })
  )
