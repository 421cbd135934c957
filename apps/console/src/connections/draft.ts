/**
 * What is filled into the fields, while it need not be right yet: texts as they are typed, lines by line, and of
 * variants which one it is. It becomes the configuration when it is sent.
 */
import { type Field, isObject, type Json, type JsonObject, type Shape } from "./schemaFields.ts"

export type ConfigDraft = Json

export const textIn = (draft: ConfigDraft | undefined): string => typeof draft === "string" ? draft : ""
export const listIn = (draft: ConfigDraft | undefined): ReadonlyArray<string> =>
  Array.isArray(draft) ? draft.filter((item) => typeof item === "string") : []
export const groupIn = (draft: ConfigDraft | undefined): JsonObject => isObject(draft) ? draft : {}

/** The chosen variant and its fields. */
export const variantIn = (draft: ConfigDraft | undefined): { readonly index: number; readonly of: ConfigDraft } => {
  const { index, of = null } = groupIn(draft)
  return { index: typeof index === "number" ? index : 0, of }
}

const fits = (shape: Shape, value: Json): boolean => {
  switch (shape.kind) {
    case "nothing":
      return false
    case "fixed":
      return JSON.stringify(shape.value) === JSON.stringify(value)
    case "group":
      return isObject(value) && shape.fields.every(({ name, required, shape }) => {
        const own = value[name]
        return own === undefined ? !required || shape.kind === "secret" : fits(shape, own)
      })
    case "choice":
      return shape.options.some((option) => option === value)
    case "number":
      return typeof value === "number"
    case "switch":
      return typeof value === "boolean"
    case "lines":
    case "choices":
      return Array.isArray(value)
    case "variants":
      return shape.variants.some(({ shape }) => fits(shape, value))
    case "json":
      return true
    default:
      return typeof value === "string"
  }
}

/** Initial values of the fields: the present configuration, or the defaults of the schema. */
export const draftOf = (shape: Shape, value: Json | undefined): ConfigDraft => {
  switch (shape.kind) {
    case "group":
      return Object.fromEntries(
        shape.fields.map(({ name, shape }) => [name, draftOf(shape, groupIn(value)[name])])
      )
    case "variants": {
      const index = value === undefined ? 0 : Math.max(0, shape.variants.findIndex(({ shape }) => fits(shape, value)))
      const variant = shape.variants[index]
      return { index, of: variant === undefined ? null : draftOf(variant.shape, value) }
    }
    case "json":
      return value === undefined ? "" : JSON.stringify(value, null, 2)
    case "number":
      return value === undefined ? shape.start : String(value)
    case "lines":
    case "choices":
      return value ?? []
    case "fixed":
      return shape.value
    case "nothing":
      return null
    case "secret":
      return ""
    default:
      return value ?? shape.start
  }
}

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    // The service reports what is missing.
    return text
  }
}

/** The value to send, or undefined to omit it. Empty fields are omitted. */
export const valueOf = (shape: Shape, draft: ConfigDraft | undefined): Json | undefined => {
  switch (shape.kind) {
    case "nothing":
      return undefined
    case "fixed":
      return shape.value
    case "switch":
      return draft === true
    case "group": {
      const own = groupIn(draft)
      const given = shape.fields.flatMap((field) => {
        const value = valueOf(field.shape, own[field.name])
        return value === undefined || isLeftOut(field, value) ? [] : [[field.name, value]]
      })
      return Object.fromEntries(given)
    }
    case "variants": {
      const { index, of } = variantIn(draft)
      const variant = shape.variants[index]
      return variant === undefined ? undefined : valueOf(variant.shape, of)
    }
    case "lines": {
      const lines = listIn(draft).map((line) => line.trim()).filter(Boolean)
      return lines.length === 0 ? undefined : lines
    }
    case "choices":
      return listIn(draft).length === 0 ? undefined : listIn(draft)
    case "number": {
      const text = textIn(draft).trim()
      return text === "" ? undefined : Number.isNaN(Number(text)) ? text : Number(text)
    }
    case "json":
      return textIn(draft).trim() === "" ? undefined : parsed(textIn(draft))
    default:
      return textIn(draft) === "" ? undefined : textIn(draft)
  }
}

/** A switch that is on by default has to be sent. */
const startsOn = ({ shape }: Field): boolean => shape.kind === "switch" && shape.start

/** Nothing of it is filled in, and nothing needs to be. */
const isLeftOut = (field: Field, value: Json | undefined): boolean =>
  value === undefined ||
  (!field.required && ((value === false && !startsOn(field)) || (isObject(value) && Object.keys(value).length === 0)))

/** Paths of required fields that are empty, except those in `mayLack`. */
export const missing = (
  shape: Shape,
  draft: ConfigDraft | undefined,
  mayLack: (field: Field) => boolean,
  path = ""
): ReadonlyArray<string> => {
  if (shape.kind === "variants") {
    const { index, of } = variantIn(draft)
    const variant = shape.variants[index]
    return variant === undefined ? [] : missing(variant.shape, of, mayLack, path)
  }
  if (shape.kind !== "group") return []
  return shape.fields.flatMap((field) => {
    const own = groupIn(draft)[field.name]
    const at = `${path}${field.name}`
    if (field.shape.kind === "group" || field.shape.kind === "variants") {
      // An optional group is validated once one of its fields is filled in.
      const isEmpty = !field.required && isLeftOut(field, valueOf(field.shape, own))
      return isEmpty ? [] : missing(field.shape, own, mayLack, `${at}.`)
    }
    return field.required && !mayLack(field) && valueOf(field.shape, own) === undefined ? [at] : []
  })
}
