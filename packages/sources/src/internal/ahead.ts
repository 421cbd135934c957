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
