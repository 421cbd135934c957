/** SHA-256 of a text's UTF-8 form, as 64 lower-case hexadecimal digits. */
import { Effect } from "effect"

export const sha256Hex = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )
