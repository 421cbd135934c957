/** Adds a description to every field of every schema. */
import { isObject, type Json, type JsonObject, mapped } from "./Json.ts"
import { COMMON, FIELDS } from "./Meanings.ts"
import { QUESTION_FIELDS } from "./QuestionMeanings.ts"
import { USAGE_FIELDS } from "./UsageMeanings.ts"

const ALL_FIELDS = { ...FIELDS, ...QUESTION_FIELDS, ...USAGE_FIELDS }

const meaningOf = (schema: string, path: string): string | undefined =>
  ALL_FIELDS[schema]?.[path] ?? COMMON[path.slice(path.lastIndexOf(".") + 1)]

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

const explainedField = (field: JsonObject, schema: string, path: string): Json => {
  const meaning = meaningOf(schema, path)
  const within = explained(field, schema, `${path}.`) as JsonObject
  return meaning === undefined ? within : { ...within, description: meaning }
}

/** The schemas with descriptions of their fields. */
export const withMeanings = (schemas: JsonObject): JsonObject =>
  mapped(schemas, (schema, name) => explained(schema, name, ""))
