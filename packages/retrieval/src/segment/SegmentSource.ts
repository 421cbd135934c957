/** Bytes of a segment that are loaded on demand. */
import { SegmentUnreadable } from "./SegmentUnreadable.ts"

export interface SegmentSource {
  readonly byteLength: number
  /** Fills `into` with the bytes from `from`. False if they cannot be read. */
  read(into: Uint8Array, from: number): boolean
}

export interface SegmentBytes {
  /** Zeros until they are fetched. The system allocates pages only when they are written. */
  readonly bytes: Uint8Array
  /** Null when all bytes are loaded. Throws `SegmentUnreadable`. */
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
