/** Of a number. */
const LONGEST = 5

/** Bytes that grow as they are written. */
export class ByteWriter {
  // Most of what is written is short, and every segment has many of these.
  #bytes = new Uint8Array(1 << 6)
  #size = 0

  get size(): number {
    return this.#size
  }

  byte(value: number): void {
    if (this.#size === this.#bytes.length) this.#makeRoom(1)
    this.#bytes[this.#size++] = value
  }

  /** A whole number from 0 to 2³¹ - 1, seven bits to a byte; the first byte that is below 128 ends it. */
  number(value: number): void {
    if (this.#size + LONGEST > this.#bytes.length) this.#makeRoom(LONGEST)
    let rest = value
    for (; rest >= 128; rest >>>= 7) this.#bytes[this.#size++] = (rest & 127) | 128
    this.#bytes[this.#size++] = rest
  }

  bytes(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length)
    this.#bytes.set(bytes, this.#size)
    this.#size += bytes.length
  }

  /** Where to write by hand, from `size` on, no more than this many bytes; `wrote` tells where that ended. */
  room(size: number): Uint8Array {
    this.#makeRoom(size)
    return this.#bytes
  }

  wrote(to: number): void {
    this.#size = to
  }

  /** A view of what was written, good until more is. */
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
