/** An LRU cache limited by total size. */
export class LruCache<A> {
  readonly #entries = new Map<string, A>()
  readonly #capacity: number
  readonly #sizeOf: (value: A) => number
  readonly #evicted: (value: A) => void
  #size = 0

  /** `evicted` is called for evicted entries, but not for deleted or replaced ones. */
  constructor(capacity: number, sizeOf: (value: A) => number, evicted: (value: A) => void = () => {}) {
    this.#capacity = capacity
    this.#sizeOf = sizeOf
    this.#evicted = evicted
  }

  /** How much more fits. */
  get freeBytes(): number {
    return this.#capacity - this.#size
  }

  /** The least recently used first. */
  keys(): Iterable<string> {
    return this.#entries.keys()
  }

  /** Without marking it as used. */
  has(key: string): boolean {
    return this.#entries.has(key)
  }

  get(key: string): A | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** The newest entry stays, whatever its size. */
  set(key: string, value: A): void {
    this.delete(key)
    this.#entries.set(key, value)
    this.#size += this.#sizeOf(value)
    for (const [oldest, evicted] of this.#entries) {
      if (this.freeBytes >= 0 || oldest === key) break
      this.delete(oldest)
      this.#evicted(evicted)
    }
  }

  delete(key: string): void {
    const value = this.#entries.get(key)
    if (value === undefined || !this.#entries.delete(key)) return
    this.#size -= this.#sizeOf(value)
  }
}
