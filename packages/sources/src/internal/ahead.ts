/** The same, with the next one on its way while one is taken. */
export async function* ahead<A>(all: AsyncGenerator<A>): AsyncGenerator<A> {
  for (let coming = all.next();;) {
    const { done, value } = await coming
    if (done === true) return
    coming = all.next()
    // Its failure is told when it is waited for.
    coming.catch(() => undefined)
    yield value
  }
}

/** What `work` makes of each, in their order, with the next one handed over while one is under way. */
export async function* inOrder<A, B>(all: AsyncIterable<A>, work: (one: A) => Promise<B>): AsyncGenerator<B> {
  let before: Promise<B> | undefined
  for await (const one of all) {
    const made = work(one)
    made.catch(() => undefined)
    if (before !== undefined) yield await before
    before = made
  }
  if (before !== undefined) yield await before
}
