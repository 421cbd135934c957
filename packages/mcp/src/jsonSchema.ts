/** Schemas in the form in which tools state them: an object at the root, with what it refers to inside it. */
import { Schema } from "effect"

export type JsonSchema = { readonly type: "object"; readonly [keyword: string]: unknown }

// Fields that the API adds later must not break a client that validates, so schemas stay open.
const withoutClosure = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutClosure)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]) =>
        name === "additionalProperties" && typeof inner === "boolean" ? [] : [[name, withoutClosure(inner)]]
      )
    )
    : value

export const jsonSchemaOf = (schema: Schema.Constraint): JsonSchema => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const reference = typeof root.$ref === "string" ? root.$ref.replace("#/$defs/", "") : undefined
  const { [reference ?? ""]: named, ...others } = definitions
  const inner = Object.keys(others).length === 0 ? {} : { $defs: others }
  return { ...withoutClosure({ ...(named ?? root), ...inner }) as object, type: "object" }
}
