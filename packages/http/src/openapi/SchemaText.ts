/** Formats a schema as one line, and the fields of an object as table rows. */
import { escaped, inline } from "../pages/Html.ts"
import { isObject, type Json, type JsonObject, objectAt } from "./Json.ts"
import { nameOf } from "./Schemas.ts"

const list = (value: Json | undefined): ReadonlyArray<JsonObject> =>
  (Array.isArray(value) ? value : []) as ReadonlyArray<JsonObject>

const code = (value: Json): string => `<code>${escaped(JSON.stringify(value))}</code>`

const BOUNDS: ReadonlyArray<readonly [keyword: string, words: string]> = [
  ["minimum", "at least"],
  ["maximum", "at most"],
  ["minLength", "characters at least"],
  ["maxLength", "characters at most"],
  ["minItems", "entries at least"],
  ["maxItems", "entries at most"],
  ["maxProperties", "keys at most"],
  ["pattern", "pattern"],
  ["default", "by default"]
]

const boundsOf = (schema: JsonObject): string =>
  BOUNDS.flatMap(([keyword, words]) => {
    const value = schema[keyword]
    return value === undefined || (keyword === "minLength" && value === 0) ? [] : [`, ${words} ${code(value)}`]
  }).join("")

const typeOf = (schema: JsonObject): string => {
  const name = nameOf(schema)
  if (name !== undefined) return `<a href="#schema-${escaped(name)}">${escaped(name)}</a>`
  if (schema["const"] !== undefined) return code(schema["const"])
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value: Json) => code(value)).join(" or ")
  const members = [...list(schema["anyOf"]), ...list(schema["oneOf"])]
  if (members.length > 0) return members.map(summaryOf).join(" or ")
  const type = String(schema["type"] ?? "any JSON")
  if (type === "array") {
    return isObject(schema["items"]) ? `array of ${summaryOf(schema["items"])}` : "array"
  }
  if (type === "object" && isObject(schema["additionalProperties"])) {
    return `map to ${summaryOf(schema["additionalProperties"])}`
  }
  return escaped(typeof schema["format"] === "string" ? `${type} (${schema["format"]})` : type)
}

/** The possible values of a schema. */
export const summaryOf = (schema: JsonObject): string => typeOf(schema) + boundsOf(schema)

/** The object inside a schema whose fields are listed: itself, an array's element, or the one beside null. */
const inner = (schema: JsonObject): JsonObject | undefined =>
  schema["properties"] !== undefined
    ? schema
    : isObject(schema["items"])
    ? inner(schema["items"])
    : list(schema["anyOf"]).map(inner).find((found) => found !== undefined)

const rowsOf = (schema: JsonObject, prefix: string): ReadonlyArray<string> => {
  const required = (schema["required"] ?? []) as ReadonlyArray<string>
  return Object.entries(objectAt(schema, "properties")).flatMap(([name, value]) => {
    const field = value as JsonObject
    const path = `${prefix}${name}`
    const words = typeof field["description"] === "string" ? `<br>${inline(field["description"])}` : ""
    const below = inner(field)
    return [
      `<tr><td><code>${escaped(path)}</code></td><td>${required.includes(name) ? "always" : "optional"}</td><td>${
        summaryOf(field)
      }${words}</td></tr>`,
      ...(below === undefined ? [] : rowsOf(below, `${path}.`))
    ]
  })
}

/** The fields of an object, including nested ones. */
export const fieldsOf = (schema: JsonObject): string => {
  const rows = rowsOf(schema, "")
  return rows.length === 0 ? `<p>${summaryOf(schema)}</p>` : `<table>\n${rows.join("\n")}\n</table>`
}
