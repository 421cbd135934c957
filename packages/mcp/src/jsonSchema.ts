/** Schemas in the form in which tools state them: an object at the root, with what it refers to inside it. */
import { Schema } from "effect"

export type JsonSchema = { readonly type: "object"; readonly [keyword: string]: unknown }

type Entry = readonly [name: string, value: unknown]

/** The schema with its rules for unknown fields replaced, at any depth. */
const withUnknownFields = (unknownFields: ReadonlyArray<Entry>) => {
  const replaced = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(replaced)
      : typeof value === "object" && value !== null
      ? Object.fromEntries(
        Object.entries(value).flatMap(([name, inner]): ReadonlyArray<Entry> =>
          name === "additionalProperties" && typeof inner === "boolean" ? unknownFields : [[name, replaced(inner)]]
        )
      )
      : value
  return (schema: object) => replaced(schema) as object
}

const open = withUnknownFields([])
const closed = withUnknownFields([["additionalProperties", false]])

const objectOf = (schema: Schema.Constraint): object => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const reference = typeof root.$ref === "string" ? root.$ref.replace("#/$defs/", "") : undefined
  const { [reference ?? ""]: named, ...others } = definitions
  const inner = Object.keys(others).length === 0 ? {} : { $defs: others }
  return { ...(named ?? root), ...inner }
}

/** Fields that the API adds later must not break a client that validates, so what a tool answers stays open. */
export const outputSchemaOf = (schema: Schema.Constraint): JsonSchema => ({
  ...open(objectOf(schema)),
  type: "object"
})

const NO_FIELDS = { properties: {}, additionalProperties: false }

/** Unknown fields are refused, and the schema says so. Some model providers reject a schema without properties. */
export const inputSchemaOf = (schema: Schema.Constraint): JsonSchema => {
  const object = objectOf(schema)
  return { ...("properties" in object ? closed(object) : NO_FIELDS), type: "object" }
}
