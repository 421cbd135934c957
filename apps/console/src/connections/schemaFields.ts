/**
 * Derives form fields from the JSON Schema of any provider's configuration. What has no matching field is edited as
 * JSON. Only the service validates values.
 */
import type { ProviderDescription } from "../api/models.ts"

export type JsonObject = ProviderDescription["config_schema"]
export type Json = JsonObject[string]

export interface Field {
  readonly name: string
  readonly label: string
  readonly hint: string | undefined
  readonly required: boolean
  readonly shape: Shape
}

interface Variant {
  readonly label: string
  readonly shape: Shape
}

export type Shape =
  | { readonly kind: "text"; readonly input: "text" | "url" | "email" | "date"; readonly start: string }
  | { readonly kind: "secret" }
  | {
    readonly kind: "number"
    readonly minimum: number | undefined
    readonly maximum: number | undefined
    readonly start: string
  }
  | { readonly kind: "switch"; readonly start: boolean }
  | { readonly kind: "choice"; readonly options: ReadonlyArray<string>; readonly start: string }
  | { readonly kind: "choices"; readonly options: ReadonlyArray<string> }
  /** A list of strings, one per line. */
  | { readonly kind: "lines" }
  | { readonly kind: "group"; readonly fields: ReadonlyArray<Field> }
  | { readonly kind: "variants"; readonly variants: ReadonlyArray<Variant> }
  /** A constant, such as the discriminator of a variant. */
  | { readonly kind: "fixed"; readonly value: Json }
  /** An optional value that is absent. */
  | { readonly kind: "nothing" }
  | { readonly kind: "json" }

const INPUTS: Readonly<Record<string, "url" | "email" | "date">> = { uri: "url", email: "email", date: "date" }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectOf = (value: Json | undefined): JsonObject => isObject(value) ? value : {}
const listOf = (value: Json | undefined): ReadonlyArray<Json> => Array.isArray(value) ? value : []
const textOf = (value: Json | undefined): string | undefined => typeof value === "string" ? value : undefined
const numberOf = (value: Json | undefined): number | undefined => typeof value === "number" ? value : undefined

/** `user_name` and `userName` as people write them. */
const worded = (name: string): string => {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").replace(/[_-]+/g, " ").toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Resolves references and drops the `null` of nullable schemas. */
const resolved = (schema: JsonObject, definitions: JsonObject): JsonObject => {
  const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(textOf(schema["$ref"]) ?? "")?.[1]
  if (name !== undefined && isObject(definitions[name])) {
    return resolved({ ...definitions[name], ...without(schema, "$ref") }, definitions)
  }
  for (const union of ["anyOf", "oneOf"]) {
    const members = listOf(schema[union]).map(objectOf)
    const [only, ...others] = members.filter(({ type }) => type !== "null")
    if (only !== undefined && others.length === 0) return resolved({ ...only, ...without(schema, union) }, definitions)
  }
  return schema
}

const without = (schema: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name))

const variantOf = (schema: JsonObject, definitions: JsonObject, index: number): Variant => {
  const shape = shapeOf(schema, definitions)
  const discriminator = shape.kind === "group" ? shape.fields.find(({ shape }) => shape.kind === "fixed") : undefined
  const fixed = discriminator?.shape.kind === "fixed"
    ? discriminator.shape.value
    : shape.kind === "fixed"
    ? shape.value
    : schema["type"]
  return { label: textOf(schema["title"]) ?? worded(textOf(fixed) ?? `form ${index + 1}`), shape }
}

const unionOf = (members: ReadonlyArray<JsonObject>, definitions: JsonObject): Shape => ({
  kind: "variants",
  variants: members.filter(({ type }) => type !== "null").map((member, index) =>
    variantOf(resolved(member, definitions), definitions, index)
  )
})

const shapeOf = (schema: JsonObject, definitions: JsonObject): Shape => {
  const { const: constant, default: start, enum: allowed, items, type } = schema
  if (constant !== undefined) return { kind: "fixed", value: constant }
  const options = listOf(allowed)
  const [first, ...more] = options
  if (first !== undefined && more.length === 0) return { kind: "fixed", value: first }
  if (options.length > 0 && options.every((option) => typeof option === "string")) {
    return { kind: "choice", options, start: textOf(start) ?? "" }
  }
  const members = [...listOf(schema["oneOf"]), ...listOf(schema["anyOf"])]
  if (members.length > 0) return unionOf(members.map(objectOf), definitions)
  if (type === "string") {
    if (schema["writeOnly"] === true || schema["format"] === "password") return { kind: "secret" }
    return { kind: "text", input: INPUTS[textOf(schema["format"]) ?? ""] ?? "text", start: textOf(start) ?? "" }
  }
  if (type === "integer" || type === "number") {
    const [minimum, maximum] = [numberOf(schema["minimum"]), numberOf(schema["maximum"])]
    return { kind: "number", minimum, maximum, start: numberOf(start)?.toString() ?? "" }
  }
  if (type === "boolean") return { kind: "switch", start: start === true }
  if (type === "array") {
    const item = shapeOf(resolved(objectOf(items), definitions), definitions)
    if (item.kind === "text") return { kind: "lines" }
    if (item.kind === "choice") return { kind: "choices", options: item.options }
  }
  if (type === "object" && isObject(schema["properties"])) return groupOf(schema, definitions)
  return { kind: "json" }
}

const NONE: Variant = { label: "None", shape: { kind: "nothing" } }

const groupOf = (schema: JsonObject, definitions: JsonObject): Shape => ({
  kind: "group",
  fields: Object.entries(objectOf(schema["properties"])).map(([name, property]) => {
    const own = resolved(objectOf(property), definitions)
    const required = listOf(schema["required"]).includes(name)
    const shape = shapeOf(own, definitions)
    return {
      name,
      label: textOf(own["title"]) ?? worded(name),
      hint: textOf(own["description"]),
      required,
      shape: shape.kind === "variants" && !required ? { ...shape, variants: [NONE, ...shape.variants] } : shape
    }
  })
})

export const fieldsOf = (shape: Shape): ReadonlyArray<Field> => shape.kind === "group" ? shape.fields : []

/** The whole configuration. */
export const configShape = (schema: JsonObject): Shape =>
  groupOf(schema, objectOf(schema["$defs"] ?? schema["definitions"]))
