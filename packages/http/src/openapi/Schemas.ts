/** What the generator says of a schema, put right where it says more or less than is true. */
import { isObject, type Json, type JsonObject, rebuilt, within } from "./Json.ts"

/** Objects that take no other fields wherever they stand, as published. */
const CLOSED = new Set(["KnowledgeTemporalSettings", "RelativeBound", "DateBound"])

const REFERENCE = "#/components/schemas/"

export const reference = (name: string): JsonObject => ({ $ref: REFERENCE + name })

/** `client_not_foundEncoded` is how the generator names an error's body. */
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

/** Several checks of one text come as `allOf`; where they do not contradict, they are one schema. */
const flat = ({ allOf, ...rest }: JsonObject): JsonObject => {
  if (!Array.isArray(allOf)) return rest
  const parts = allOf as ReadonlyArray<JsonObject>
  const keys = parts.flatMap((part) => Object.keys(part))
  return new Set(keys).size < keys.length || keys.some((key) => key in rest || key === "$ref")
    ? { ...rest, allOf }
    : Object.assign({ ...rest }, ...parts)
}

const isNull = (schema: JsonObject): boolean => schema["type"] === "null"

const nameOf = (schema: JsonObject): string | undefined =>
  typeof schema["$ref"] === "string" ? schema["$ref"].slice(REFERENCE.length) : undefined

/** The fields that tell the members of a union apart. */
const DISCRIMINATORS = ["type", "error_code", "kind"]

const tagIn = (schema: JsonObject | undefined, field: string): Json | undefined =>
  schema && within(within(schema, "properties"), field)["const"]

/** A union whose members are told apart by a constant field says so, and null stands beside it. */
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

/** The members of a choice that have a title are kept under it, and referred to. */
const keptByTitle = (schema: JsonObject, kept: Record<string, Json>): JsonObject => {
  if (!Array.isArray(schema["anyOf"])) return schema
  const anyOf = (schema["anyOf"] as ReadonlyArray<JsonObject>).map(({ title, ...member }) => {
    if (typeof title !== "string") return member
    kept[title] = member
    return reference(title)
  })
  return { ...schema, anyOf }
}

/** The document with every schema as precise as the rules behind it. */
export const precise = (document: JsonObject): JsonObject => {
  const titled: Record<string, Json> = {}
  const tidy = rebuilt(
    document,
    (object) =>
      keptByTitle(renamed(constant(flat(object["type"] === "integer" ? withoutSafeBounds(object) : object))), titled)
  ) as JsonObject
  const components = within(tidy, "components")
  const schemas: JsonObject = {
    ...Object.fromEntries(
      Object.entries(within(components, "schemas")).map(([name, schema]) => [plainName(name), schema])
    ),
    ...titled
  }
  return rebuilt(
    { ...tidy, components: { ...components, schemas } },
    (object) => discriminated(object, schemas)
  ) as JsonObject
}

/** The generator closes every object. What may grow, or takes unknown fields, is opened. */
export const opened = (value: Json): Json =>
  rebuilt(
    value,
    ({ additionalProperties, ...rest }) =>
      additionalProperties === undefined || additionalProperties === false ? rest : { ...rest, additionalProperties }
  )

/** Components are for answers, but for those that are published as closed. */
export const openedComponents = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, CLOSED.has(name) ? schema : opened(schema)])
  )

/** A schema that is an object of its own, rather than a name of one, a list or a choice. */
export const isInline = (schema: Json | undefined): schema is JsonObject =>
  isObject(schema) && schema["type"] === "object" && schema["$ref"] === undefined
