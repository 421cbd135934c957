/** A deep copy, for values that enter or leave a store. */

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
