/**
 * What was there at the last sync, small enough for a cursor: 64 bits for each thing and its version.
 *
 * One that is among them need not be read again. With a million things, one in 30 million syncs overlooks a change.
 */
import { DigestSet } from "@tributary/core/DigestSet"

/** Of a thing and its version. */
export const fingerprint = (...parts: ReadonlyArray<string | number | bigint>): string => parts.join("\0")

export const encodeFingerprints = (all: DigestSet): string => Buffer.from(all.digests().buffer).toString("base64")

export const decodeFingerprints = (text: string): DigestSet => {
  const bytes = Buffer.from(text, "base64")
  return new DigestSet(
    new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - bytes.length % 8))
  )
}
