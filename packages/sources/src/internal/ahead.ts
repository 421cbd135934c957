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

/** What `work` makes of each, in their order, with so many under way at once. */
export async function* inOrder<A, B>(
  all: AsyncIterable<A>,
  atOnce: number,
  work: (one: A) => Promise<B>
): AsyncGenerator<B> {
  const underWay: Array<Promise<B>> = []
  for await (const one of all) {
    const made = work(one)
    made.catch(() => undefined)
    underWay.push(made)
    if (underWay.length > atOnce) yield await underWay.shift()!
  }
  for (const made of underWay) yield await made
}
