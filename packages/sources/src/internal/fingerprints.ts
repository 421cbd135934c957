/**
 * What a sync found, small enough for a cursor: a 64-bit digest of each item and its version.
 *
 * An item that the last sync found need not be read again. With a million items, one in 30 million syncs misses a
 * change.
 */
import { DigestSet } from "@tributary/core/DigestSet"

/** An item and its version. */
export const fingerprint = (...parts: ReadonlyArray<string | number | bigint>): string => parts.join("\0")

const encode = (all: DigestSet): string => Buffer.from(all.digests().buffer).toString("base64")

const decode = (text: string): DigestSet => {
  const bytes = Buffer.from(text, "base64")
  return new DigestSet(
    new BigUint64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length - bytes.length % 8))
  )
}

/** `text` is what the last sync found. */
export const makeFingerprints = (text = "") => {
  // Complete, because lookups between additions are slow.
  const known = decode(text)
  const [found, knownOrFound] = [new DigestSet(), decode(text)]
  return {
    isKnown: (one: string): boolean => known.has(one),
    add: (one: string): void => {
      found.add(one)
      knownOrFound.add(one)
    },
    /** For the next sync. */
    found: (): string => encode(found),
    /** For a sync that continues this one. */
    knownOrFound: (): string => encode(knownOrFound)
  }
}
