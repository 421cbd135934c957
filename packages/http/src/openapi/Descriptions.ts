/** The texts of groups, operations, parameters and fields: the comments of their definitions. */
import descriptions from "./descriptions.json" with { type: "json" }
import { isObject, type Json, type JsonObject, mapValues } from "./Json.ts"

interface Description {
  readonly default?: Json
  readonly description: string
}

interface Operation {
  readonly summary: string
  readonly description: string
  readonly parameters: Readonly<Record<string, Description>>
}

interface Descriptions {
  readonly groups: Readonly<Record<string, string>>
  readonly operations: Readonly<Record<string, Operation>>
  /** The fields of a schema by their path, such as `entity.quote`. */
  readonly schemas: Readonly<Record<string, Readonly<Record<string, Description>>>>
}

/** Gathered by `npm run openapi`. */
export const DESCRIPTIONS: Descriptions = descriptions

const explainedSchema = (value: Json, schema: string, prefix: string): Json => {
  if (Array.isArray(value)) return value.map((member: Json) => explainedSchema(member, schema, prefix))
  if (!isObject(value)) return value
  return mapValues(value, (part, keyword) => {
    switch (keyword) {
      case "properties":
        return mapValues(
          part as JsonObject,
          (field, name) => explainedField(field as JsonObject, schema, prefix + name)
        )
      case "items":
      case "anyOf":
      case "oneOf":
      case "additionalProperties":
        return explainedSchema(part, schema, prefix)
      default:
        return part
    }
  })
}

const explainedField = (field: JsonObject, schema: string, path: string): Json => ({
  ...explainedSchema(field, schema, `${path}.`) as JsonObject,
  ...DESCRIPTIONS.schemas[schema]?.[path]
})

/** The schemas with descriptions of their fields. */
export const withDescriptions = (schemas: JsonObject): JsonObject =>
  mapValues(schemas, (schema, name) => explainedSchema(schema, name, ""))

const TEXTS: Readonly<Record<string, string>> = { external_id: "ticket-7", resource: "INBOX" }

const UUID = "5c1d7c1e-2d5a-4d4a-9c59-0b8c4a3b7e21"

/** A parameter with its description, and its default or an example. */
export const explainedParameter = (parameter: JsonObject, operation: string): JsonObject => {
  const name = String(parameter["name"])
  const { description = "", ...defaulted } = DESCRIPTIONS.operations[operation]?.parameters[name] ?? {}
  return parameter["in"] === "path"
    ? { ...parameter, description, example: TEXTS[name] ?? UUID }
    : { ...parameter, description, schema: { ...parameter["schema"] as JsonObject, ...defaulted } }
}
