/** SHA-256 of bytes, or of a text's UTF-8 form, as 64 lower-case hexadecimal digits. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"

// The platform's hash beside this thread: getting there costs as much as hashing this many bytes here.
const SHORT = 4_096

interface Crypto {
  hash(algorithm: "sha256", content: Uint8Array, form: "hex"): string
}

interface Platform {
  readonly process?: { readonly getBuiltinModule?: (name: "node:crypto") => Crypto | undefined }
}

// Node's own, where there is one, is many times as fast as one in JavaScript; a browser has none that answers at once.
const native = (globalThis as Platform).process?.getBuiltinModule?.("node:crypto")

/** For what is short. */
export const sha256HexNow = (bytes: Uint8Array): string =>
  native?.hash("sha256", bytes, "hex") ?? bytesToHex(sha256(bytes))

const encoder = new TextEncoder()

export const sha256Hex = (content: string | Uint8Array<ArrayBuffer>): Effect.Effect<string> =>
  Effect.suspend(() => {
    const bytes = typeof content === "string" ? encoder.encode(content) : content
    return bytes.length <= SHORT
      ? Effect.succeed(sha256HexNow(bytes))
      : Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", bytes)),
        (digest) => bytesToHex(new Uint8Array(digest))
      )
  })
