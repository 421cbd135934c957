/** JSON, as the document is made of. */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Rebuilds a value from the inside out: an object is handed to `change` once what it holds has been. */
export const rebuilt = (value: Json, change: (object: JsonObject) => Json): Json => {
  if (Array.isArray(value)) return value.map((element: Json) => rebuilt(element, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rebuilt(inner, change)])))
}

/** The same object with every value changed. */
export const mapped = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))

/** What stands in an object under a name; an empty object when nothing does. */
export const within = (object: JsonObject, name: string): JsonObject => {
  const value = object[name]
  return isObject(value) ? value : {}
}
