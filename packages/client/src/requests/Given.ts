/** What callers may leave undefined. */

type Value = string | number | boolean | null | undefined | Date | Blob

/**
 * A request as callers write it: an optional field may also be undefined, which counts as absent. Otherwise a project
 * with `exactOptionalPropertyTypes` could not pass on an optional value of its own.
 */
export type Given<A> = A extends Value ? A
  : A extends ReadonlyArray<infer Item> ? ReadonlyArray<Given<Item>>
  : { readonly [Name in keyof A]: Given<A[Name]> | Absent<Pick<A, Name>> }

/** Keys of an index signature count as optional. */
type Absent<Field> = {} extends Field ? undefined : never
