/** Adds to every field of every schema its description and its default. */
import { DESCRIPTIONS } from "./Descriptions.ts"
import { isObject, type Json, type JsonObject, mapped } from "./Json.ts"

const explained = (value: Json, schema: string, prefix: string): Json => {
  if (Array.isArray(value)) return value.map((member: Json) => explained(member, schema, prefix))
  if (!isObject(value)) return value
  return mapped(value, (part, keyword) => {
    switch (keyword) {
      case "properties":
        return mapped(part as JsonObject, (field, name) => explainedField(field as JsonObject, schema, prefix + name))
      case "items":
      case "anyOf":
      case "oneOf":
      case "additionalProperties":
        return explained(part, schema, prefix)
      default:
        return part
    }
  })
}

const explainedField = (field: JsonObject, schema: string, path: string): Json => ({
  ...explained(field, schema, `${path}.`) as JsonObject,
  ...DESCRIPTIONS.schemas[schema]?.[path]
})

/** The schemas with descriptions of their fields. */
export const withDescriptions = (schemas: JsonObject): JsonObject =>
  mapped(schemas, (schema, name) => explained(schema, name, ""))
