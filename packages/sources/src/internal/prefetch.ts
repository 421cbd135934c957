/** Reads one item ahead: the next is requested while the current one is used. */
export async function* prefetch<A>(all: AsyncGenerator<A>): AsyncGenerator<A> {
  for (let coming = all.next();;) {
    const { done, value } = await coming
    if (done === true) return
    coming = all.next()
    // Its failure is reported when it is awaited.
    coming.catch(() => undefined)
    yield value
  }
}

/** Maps items in order, with one call to `work` ahead. */
export async function* mapAhead<A, B>(all: AsyncIterable<A>, work: (one: A) => Promise<B>): AsyncGenerator<B> {
  let before: Promise<B> | undefined
  for await (const one of all) {
    const made = work(one)
    made.catch(() => undefined)
    if (before !== undefined) yield await before
    before = made
  }
  if (before !== undefined) yield await before
}
