/** JSON values of the document. */

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Rebuilds a value bottom-up: `change` gets each object after its content was rebuilt. */
export const rebuilt = (value: Json, change: (object: JsonObject) => Json): Json => {
  if (Array.isArray(value)) return value.map((element: Json) => rebuilt(element, change))
  if (!isObject(value)) return value
  return change(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rebuilt(inner, change)])))
}

export const mapValues = (object: JsonObject, change: (value: Json, key: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]))

/** The object under a name; an empty one if absent. */
export const objectAt = (object: JsonObject, name: string): JsonObject => {
  const value = object[name]
  return isObject(value) ? value : {}
}

/** The request and the responses of an operation, by status. */
export interface Example {
  readonly request?: Json
  readonly answers: Readonly<Record<number, Json>>
}
