/** What was used last, up to a size; what was unused for longest goes first. */
export class Recent<A> {
  readonly #entries = new Map<string, A>()
  readonly #capacity: number
  readonly #sizeOf: (value: A) => number
  #size = 0

  constructor(capacity: number, sizeOf: (value: A) => number) {
    this.#capacity = capacity
    this.#sizeOf = sizeOf
  }

  get(key: string): A | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** The newest stays, whatever its size. */
  set(key: string, value: A): void {
    this.#drop(key)
    this.#entries.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity || oldest === key) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const value = this.#entries.get(key)
    if (value === undefined || !this.#entries.delete(key)) return
    this.#size -= this.#sizeOf(value)
  }
}
