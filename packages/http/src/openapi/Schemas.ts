/** Corrects generated schemas that are imprecise. */
import { isObject, type Json, type JsonObject, objectAt, rebuilt } from "./Json.ts"

/** Components that never accept other fields: the settings, and parts of requests. */
const CLOSED = new Set(["KnowledgeTemporalSettings", "RelativeBound", "DateBound", "DocumentFilter", "TokenFilter"])

const REFERENCE = "#/components/schemas/"

export const reference = (name: string): JsonObject => ({ $ref: REFERENCE + name })

/** `client_not_foundEncoded` is the generator's name of an error's body. */
const plainName = (name: string): string => name.replace(/Encoded$/, "")

const withoutSafeBounds = ({ maximum, minimum, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum })
})

const constant = ({ enum: values, ...rest }: JsonObject): JsonObject => {
  if (!Array.isArray(values)) return rest
  const [value] = values as ReadonlyArray<Json>
  if (values.length > 1) return { ...rest, enum: values }
  return { ...rest, ...(Number.isInteger(value) ? { type: "integer" } : {}), const: value! }
}

/** Several checks of one string are `allOf`; compatible ones are merged into one schema. */
const flat = ({ allOf, ...rest }: JsonObject): JsonObject => {
  if (!Array.isArray(allOf)) return rest
  const parts = allOf as ReadonlyArray<JsonObject>
  const keys = parts.flatMap((part) => Object.keys(part))
  return new Set(keys).size < keys.length || keys.some((key) => key in rest || key === "$ref")
    ? { ...rest, allOf }
    : Object.assign({ ...rest }, ...parts)
}

const isNull = (schema: JsonObject): boolean => schema["type"] === "null"

/** The component that a schema refers to. */
export const nameOf = (schema: JsonObject): string | undefined =>
  typeof schema["$ref"] === "string" ? schema["$ref"].slice(REFERENCE.length) : undefined

/** The discriminators of unions. */
const DISCRIMINATORS = ["type", "error_code", "kind"]

const tagIn = (schema: JsonObject | undefined, field: string): Json | undefined =>
  schema && objectAt(objectAt(schema, "properties"), field)["const"]

/** Declares the discriminator of a union, beside null if it is nullable. */
const discriminated = (schema: JsonObject, components: JsonObject): JsonObject => {
  const members = (schema["anyOf"] ?? []) as ReadonlyArray<JsonObject>
  const named = members.filter((member) => !isNull(member))
  if (named.length < 2) return schema
  const bodies = named.map((member) => components[nameOf(member) ?? ""] as JsonObject | undefined)
  for (const propertyName of DISCRIMINATORS) {
    const tags = bodies.map((body) => tagIn(body, propertyName))
    if (!tags.every((tag) => typeof tag === "string")) continue
    const mapping = Object.fromEntries(tags.map((tag, index) => [tag, named[index]!["$ref"]!]))
    const union = { oneOf: named, discriminator: { propertyName, mapping } }
    return members.length === named.length ? union : { anyOf: [union, { type: "null" }] }
  }
  return schema
}

const renamed = (schema: JsonObject): JsonObject =>
  typeof schema["$ref"] === "string" ? { ...schema, $ref: plainName(schema["$ref"]) } : schema

/** Members of a union with a title become components. */
const keptByTitle = (schema: JsonObject, kept: Record<string, Json>): JsonObject => {
  if (!Array.isArray(schema["anyOf"])) return schema
  const anyOf = (schema["anyOf"] as ReadonlyArray<JsonObject>).map(({ title, ...member }) => {
    if (typeof title !== "string") return member
    kept[title] = member
    return reference(title)
  })
  return { ...schema, anyOf }
}

/** The document with every schema as precise as its rules. */
export const withPreciseSchemas = (document: JsonObject): JsonObject => {
  const titled: Record<string, Json> = {}
  const tidy = rebuilt(
    document,
    (object) =>
      keptByTitle(renamed(constant(flat(object["type"] === "integer" ? withoutSafeBounds(object) : object))), titled)
  ) as JsonObject
  const components = objectAt(tidy, "components")
  const schemas: JsonObject = {
    ...Object.fromEntries(
      Object.entries(objectAt(components, "schemas")).map(([name, schema]) => [plainName(name), schema])
    ),
    ...titled
  }
  return rebuilt(
    { ...tidy, components: { ...components, schemas } },
    (object) => discriminated(object, schemas)
  ) as JsonObject
}

/** The generator closes every object; those that may grow, or accept unknown fields, are opened. */
export const openObjects = (value: Json): Json =>
  rebuilt(
    value,
    ({ additionalProperties, ...rest }) =>
      additionalProperties === undefined || additionalProperties === false ? rest : { ...rest, additionalProperties }
  )

/** Components are for responses, except for those published as closed. */
export const openedComponents = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, CLOSED.has(name) ? schema : openObjects(schema)])
  )

/** An inline object schema, not a reference, an array or a union. */
export const isInline = (schema: Json | undefined): schema is JsonObject =>
  isObject(schema) && schema["type"] === "object" && schema["$ref"] === undefined
