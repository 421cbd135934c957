/** Canonical JSON: without white space, object names in ascending order. */
import { Predicate, type Schema } from "effect"

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : a > b ? 1 : 0

/** Whether the value is ordered already; checking is much cheaper than copying. */
const isOrdered = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.every(isOrdered)
  if (!Predicate.isReadonlyObject(value)) return true
  let before: string | undefined
  for (const name in value) {
    if ((before !== undefined && before >= name) || !isOrdered(value[name])) return false
    before = name
  }
  return true
}

const entriesByName = <Value>(object: Readonly<Record<string, Value>>) => Object.entries(object).toSorted(byName)

/** An object with its keys in ascending order, after those that look like indexes. */
export const sortedByName = <Value>(object: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(entriesByName(object))

/** Sorts the keys of every object, whose order has no meaning in JSON. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : Predicate.isReadonlyObject(value)
    ? Object.fromEntries(entriesByName(value).map(([name, inner]) => [name, ordered(inner)]))
    : value

export const canonicalJson = (value: Schema.Json): string => JSON.stringify(isOrdered(value) ? value : ordered(value))

/** The same, from `text`, which is the JSON of the value. */
export const canonicalText = (value: Schema.Json, text: string): string =>
  isOrdered(value) ? text : JSON.stringify(ordered(value))
