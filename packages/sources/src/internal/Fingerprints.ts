/**
 * What existed at the last sync, small enough for a cursor: a 64-bit digest of each item and its version.
 *
 * An item whose digest is in the set need not be read again. With a million items, one in 30 million syncs misses a
 * change.
 */
import { DigestSet } from "@tributary/core/DigestSet"

/** The digest of an item and its version. */
export const fingerprint = (...parts: ReadonlyArray<string | number | bigint>): string => parts.join("\0")

export const encodeFingerprints = (all: DigestSet): string => Buffer.from(all.digests().buffer).toString("base64")

export const decodeFingerprints = (text: string): DigestSet => {
  const bytes = Buffer.from(text, "base64")
  return new DigestSet(
    new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - bytes.length % 8))
  )
}
