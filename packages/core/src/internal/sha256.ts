/** SHA-256 of bytes, or of a text's UTF-8 form, as 64 lower-case hexadecimal digits. */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Effect } from "effect"

// The platform's asynchronous hash: calling it costs as much as hashing this many bytes or characters here.
const SHORT = 4_096

interface Hash {
  update(content: Uint8Array | string): unknown
  digest(form: "hex"): string
}

interface Crypto {
  createHash(algorithm: "sha256"): Hash
  hash(algorithm: "sha256", content: Uint8Array | string, form: "hex"): string
}

interface Platform {
  readonly process?: { readonly getBuiltinModule?: (name: "node:crypto") => Crypto | undefined }
}

// Node's own hash is much faster than one in JavaScript; browsers have no synchronous one.
const native = (globalThis as Platform).process?.getBuiltinModule?.("node:crypto")

const encoder = new TextEncoder()

const encoded = <Bytes>(content: string | Bytes): Bytes | Uint8Array<ArrayBuffer> =>
  typeof content === "string" ? encoder.encode(content) : content

/** For short input. */
export const sha256HexNow = (content: string | Uint8Array): string =>
  native?.hash("sha256", content, "hex") ?? bytesToHex(sha256(encoded(content)))

interface Parts {
  readonly add: (part: string | Uint8Array) => void
  readonly hex: () => string
}

/** Of content in parts. */
export const sha256Parts = (): Parts => {
  if (native === undefined) {
    const hash = sha256.create()
    return { add: (part) => void hash.update(encoded(part)), hex: () => bytesToHex(hash.digest()) }
  }
  const hash = native.createHash("sha256")
  return { add: (part) => void hash.update(part), hex: () => hash.digest("hex") }
}

export const sha256Hex = (content: string | Uint8Array<ArrayBuffer>): Effect.Effect<string> =>
  Effect.suspend(() =>
    content.length <= SHORT
      ? Effect.succeed(sha256HexNow(content))
      : Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", encoded(content))),
        (digest) => bytesToHex(new Uint8Array(digest))
      )
  )
