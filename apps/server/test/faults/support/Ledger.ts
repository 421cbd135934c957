/**
 * The writes of clients, and so what may be stored: one register for each external id.
 *
 * A write whose response was lost may be carried out at any time until it is settled. A read may return every write
 * that was concurrent with it, and every earlier one that no later one has certainly replaced.
 */
interface Write {
  /** Null: deleted. */
  readonly text: string | null
  readonly began: number
  ended: number
  /** The response came: it was carried out. */
  isCertain: boolean
}

const NEVER: Write = { text: null, began: -1, ended: -1, isCertain: true }

export class Ledger {
  readonly #writes = new Map<string, Array<Write>>()
  readonly #tried = new Set<string>()
  #time = 0

  /** The current time, for a read that begins now. */
  now(): number {
    return ++this.#time
  }

  /** Begins writes. They are pending until one of the two is called. */
  begin(texts: ReadonlyMap<string, string | null>) {
    const began = this.now()
    const writes = new Map<string, Write>()
    for (const [id, text] of texts) {
      const write = { text, began, ended: Infinity, isCertain: false }
      writes.set(id, write)
      this.#of(id).push(write)
      if (text !== null) this.#tried.add(text)
    }
    return {
      /** Carried out. */
      done: () => {
        const ended = this.now()
        for (const write of writes.values()) Object.assign(write, { ended, isCertain: true })
      },
      /** Certainly not carried out. */
      refused: (id: string) => {
        const write = writes.get(id)
        if (write !== undefined) this.#writes.set(id, this.#of(id).filter((other) => other !== write))
      }
    }
  }

  /** Pending writes are over by now, carried out or not. */
  settle(): void {
    const ended = this.now()
    for (const writes of this.#writes.values()) {
      for (const write of writes) write.ended = Math.min(write.ended, ended)
    }
  }

  /** The possible results of a read that started at `from` and ends now. Null: absent. */
  possible(id: string, from: number): ReadonlySet<string | null> {
    const writes: ReadonlyArray<Write> = [NEVER, ...this.#of(id)]
    const isReplaced = (write: Write) =>
      writes.some(({ began, ended, isCertain }) => isCertain && began > write.ended && ended < from)
    return new Set(writes.filter((write) => !isReplaced(write)).map(({ text }) => text))
  }

  /** A read without concurrent writes returned this, so the other possible values are excluded. */
  observed(id: string, text: string | null): void {
    const at = this.now()
    this.#writes.set(id, [{ text, began: at, ended: at, isCertain: true }])
  }

  ids(): ReadonlyArray<string> {
    return [...this.#writes.keys()]
  }

  /** All texts that were ever sent. */
  texts(): ReadonlyArray<string> {
    return [...this.#tried]
  }

  #of(id: string): Array<Write> {
    const writes = this.#writes.get(id) ?? []
    this.#writes.set(id, writes)
    return writes
  }
}
