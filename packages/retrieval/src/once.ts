/** Calls `make` when the value is first needed, for what takes milliseconds and a program may never need. */
export const once = <A>(make: () => A): () => A => {
  let known: A | undefined
  return () => known ??= make()
}
