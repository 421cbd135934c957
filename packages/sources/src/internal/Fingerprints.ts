/**
 * What was there at the last sync, small enough for a cursor: 64 bits for each thing and its version.
 *
 * One that is among them need not be read again. With a million things, one in 30 million syncs overlooks a change.
 */
import { createHash } from "node:crypto"

export type Fingerprints = ReadonlySet<bigint>

export const fingerprint = (...parts: ReadonlyArray<string | number | bigint>): bigint =>
  createHash("sha256").update(parts.join("\0")).digest().readBigUInt64LE()

export const encodeFingerprints = (all: Fingerprints): string =>
  Buffer.from(BigUint64Array.from(all).buffer).toString("base64")

export const decodeFingerprints = (text: string): Fingerprints => {
  const bytes = Buffer.from(text, "base64")
  return new Set(
    new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - bytes.length % 8))
  )
}
