/** Signatures of Standard Webhooks 1.0.0: HMAC-SHA256 over id, timestamp and body. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import * as Base64 from "effect/encoding/Base64"

const encoder = new TextEncoder()

const keyOf = (secret: string): Uint8Array =>
  Uint8Array.from(atob(secret.slice("whsec_".length)), (character) => character.charCodeAt(0))

const signatureOf = (secret: string, content: Uint8Array): string =>
  `v1,${Base64.encode(hmac(sha256, keyOf(secret), content))}`

/** One signature per secret, so that a receiver may have either. `at` is in milliseconds. */
export const signedHeaders = (
  secrets: ReadonlyArray<string>,
  id: string,
  at: number,
  body: string
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(at / 1_000))
  const content = encoder.encode(`${id}.${timestamp}.${body}`)
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => signatureOf(secret, content)).join(" ")
  }
}
