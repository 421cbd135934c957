/** SHA-256 of bytes, or of a text's UTF-8 form, as 64 lower-case hexadecimal digits. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"

// The platform's own hash is faster by the byte and runs beside this thread, but getting there costs as much as hashing
// this many bytes here. A key, which every request brings, is far below.
const SHORT = 4_096

const encoder = new TextEncoder()

export const sha256Hex = (content: string | Uint8Array<ArrayBuffer>): Effect.Effect<string> =>
  Effect.suspend(() => {
    const bytes = typeof content === "string" ? encoder.encode(content) : content
    return bytes.length <= SHORT
      ? Effect.succeed(bytesToHex(sha256(bytes)))
      : Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", bytes)),
        (digest) => bytesToHex(new Uint8Array(digest))
      )
  })
