/** Decodes what a `ByteWriter` has encoded. */
export class ByteReader {
  readonly bytes: Uint8Array
  at: number
  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  byte(): number {
    return this.bytes[this.at++]!
  }

  number(): number {
    let value = 0
    for (let shift = 0;; shift += 7) {
      const byte = this.bytes[this.at++]!
      value |= (byte & 127) << shift
      if (byte < 128) return value
    }
  }
}
