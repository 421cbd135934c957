/** Runs a generator that pauses at each `yield`, without pauses. Needs no library, so that small processes start fast. */
export const runGenerator = <A>(work: Generator<void, A>): A => {
  while (true) {
    const { done, value } = work.next()
    if (done === true) return value
  }
}
