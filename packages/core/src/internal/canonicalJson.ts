/** JSON in one fixed spelling: without blanks, the names of every object in ascending order. */
import type { Schema } from "effect"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : a > b ? 1 : 0

/** Whether `ordered` would change nothing: looking costs a fraction of making it again. */
const isOrdered = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isOrdered)
  if (!isObject(value)) return true
  const names = Object.keys(value)
  return names.every((name, index) => (index === 0 || names[index - 1]! < name) && isOrdered(value[name]))
}

/** With the keys of every object in one order, since JSON gives their order no meaning. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(byName).map(([name, inner]) => [name, ordered(inner)]))
    : value

export const canonicalJson = (value: Schema.Json): string => JSON.stringify(isOrdered(value) ? value : ordered(value))
