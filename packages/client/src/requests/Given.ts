/** What callers may leave undefined. */
import type { Schema } from "effect"

type Value = string | number | boolean | null | undefined | Date | Blob

/**
 * JSON as callers write it; fields that are undefined are absent. TypeScript takes no interface for JSON, because others
 * could add fields to it: pass a copy of such an object, `{ ...ticket }`.
 */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | {
  readonly [name: string]: Json | undefined
}

/**
 * A request as callers write it: an optional field may also be undefined, which counts as absent. Otherwise a project
 * with `exactOptionalPropertyTypes` could not pass on an optional value of its own.
 */
export type Given<A> = [Schema.Json] extends [A] ? Json : Fields<A>

type Fields<A> = A extends Value ? A
  : A extends ReadonlyArray<infer Item> ? ReadonlyArray<Given<Item>>
  : { readonly [Name in keyof A]: Given<A[Name]> | Absent<Pick<A, Name>> }

/** Keys of an index signature count as optional. */
type Absent<Field> = {} extends Field ? undefined : never
