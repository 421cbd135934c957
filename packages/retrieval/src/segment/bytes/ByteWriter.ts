/** The most bytes of an encoded number. */
const MAX_NUMBER_BYTES = 5

/** A growing byte buffer. */
export class ByteWriter {
  // Start small: most content is short, and a segment has many writers.
  #bytes = new Uint8Array(1 << 6)
  #size = 0

  get size(): number {
    return this.#size
  }

  byte(value: number): void {
    if (this.#size === this.#bytes.length) this.#makeRoom(1)
    this.#bytes[this.#size++] = value
  }

  /** A varint from 0 to 2³¹ - 1: seven bits per byte, the last byte is below 128. */
  number(value: number): void {
    if (this.#size + MAX_NUMBER_BYTES > this.#bytes.length) this.#makeRoom(MAX_NUMBER_BYTES)
    let rest = value
    for (; rest >= 128; rest >>>= 7) this.#bytes[this.#size++] = (rest & 127) | 128
    this.#bytes[this.#size++] = rest
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length)
    this.#bytes.set(bytes, this.#size)
    this.#size += bytes.length
  }

  /** For direct writes from `size`, at most this many bytes. Call `wrote` with the end. */
  room(size: number): Uint8Array {
    this.#makeRoom(size)
    return this.#bytes
  }

  wrote(to: number): void {
    this.#size = to
  }

  /** A view of the content, valid until the next write. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  clear(): void {
    this.#size = 0
  }

  #makeRoom(size: number): void {
    if (this.#size + size <= this.#bytes.length) return
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, this.#size + size))
    bytes.set(this.#bytes)
    this.#bytes = bytes
  }
}
