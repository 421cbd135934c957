/** A list that comes in pages, each fetched when it is reached. */

/** Some entries of a list. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  /** The cursor of the next page; null on the last. */
  readonly next_cursor: string | null
}

/** Iterate over the entries, or over the pages. Every iteration starts again. */
export class Pages<out A> implements AsyncIterable<A> {
  readonly #fetch: (cursor: string | null) => Promise<Page<A>>

  constructor(fetch: (cursor: string | null) => Promise<Page<A>>) {
    this.#fetch = fetch
  }

  /** From the beginning, or from a cursor of an earlier page. */
  async *pages(cursor: string | null = null): AsyncGenerator<Page<A>, void, undefined> {
    let next = cursor
    do {
      const page = await this.#fetch(next)
      yield page
      next = page.next_cursor
    } while (next !== null)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<A, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }

  /** All entries at once. */
  async toArray(): Promise<Array<A>> {
    const entries: Array<A> = []
    for await (const entry of this) entries.push(entry)
    return entries
  }
}
