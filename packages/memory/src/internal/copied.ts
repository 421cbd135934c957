/** What enters or leaves a store must not change with what is stored. */

import { Option } from "effect"

const copy = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Date) return new Date(value)
  // Not `slice`: a subclass may answer it with a view of the same bytes.
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(copy)
  // Spreading defines its own keys, so that one called `__proto__` stays a key.
  const fields: Record<string, unknown> = { ...value }
  for (const key in fields) {
    const field = fields[key]
    if (typeof field === "object" && field !== null) fields[key] = copy(field)
  }
  return fields
}

export const copied = <A>(value: A): A => copy(value) as A

/** A copy of what may be stored. */
export const found = <A>(value: A | undefined): Option.Option<A> =>
  value === undefined ? Option.none() : Option.some(copied(value))

/**
 * The stored value itself, which nobody can change from here on. For values without dates and bytes that the store
 * replaces instead of changing them.
 */
export const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    for (const field of Object.values(value)) frozen(field)
    Object.freeze(value)
  }
  return value
}
