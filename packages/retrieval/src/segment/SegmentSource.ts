/** Bytes of a segment that come into memory only as they are needed. */
import { SegmentUnreadable } from "./SegmentUnreadable.ts"

export interface SegmentSource {
  readonly byteLength: number
  /** Fills `into` with what lies from `from` on; false when it is not to be had. */
  read(into: Uint8Array, from: number): boolean
}

export interface SegmentBytes {
  /** Zeros until they are fetched. The system gives memory for zeros only as something is written there. */
  readonly bytes: Uint8Array
  /** Null when all are there. Throws `SegmentUnreadable`. */
  readonly fetch: ((from: number, to: number) => void) | null
}

export const segmentBytes = (source: Uint8Array | SegmentSource): SegmentBytes => {
  if (source instanceof Uint8Array) return { bytes: source, fetch: null }
  const bytes = new Uint8Array(source.byteLength)
  return {
    bytes,
    fetch: (from, to) => {
      if (!source.read(bytes.subarray(from, to), from)) throw new SegmentUnreadable("damaged", true)
    }
  }
}
