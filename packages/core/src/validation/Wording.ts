/** The messages for values of the wrong type, and for failed checks: Pydantic's, as in the API. */
import { quotedList } from "../model/Kind.ts"
import { type Violation, VIOLATIONS } from "../model/Violation.ts"
import type { SchemaAST } from "effect"
import { filtersOf, representationOf } from "./Bounds.ts"

const plain = (type: string, message: string): Violation => ({ type, message })

const TYPES: ReadonlyMap<string, Violation> = new Map([
  ["string", plain("string_type", "Input should be a valid string")],
  ["date", plain("date_type", "Input should be a valid date")],
  ["date-time", plain("datetime_type", "Input should be a valid datetime")],
  ["url_type", plain("url_type", "URL input should be a string or URL")],
  ["int", plain("int_type", "Input should be a valid integer")],
  ["float", plain("float_type", "Input should be a valid number")],
  ["boolean", plain("bool_type", "Input should be a valid boolean")],
  ["array", plain("list_type", "Input should be a valid list")],
  ["map", plain("dict_type", "Input should be a valid dictionary")],
  [
    "model_attributes_type",
    plain("model_attributes_type", "Input should be a valid dictionary or object to extract fields from")
  ],
  ["finite", plain("finite_number", "Input should be a finite number")],
  ["file", plain("value_error", "Value error, must be a file")],
  ["none", plain("none_required", "Input should be None")]
])

const ofType = (name: string): Violation => TYPES.get(name)!

/** The members of a union, with nested unions flattened and without null. */
export const membersOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(membersOf) : ast._tag === "Null" ? [] : [ast]

const isInteger = (ast: SchemaAST.AST): boolean =>
  filtersOf(ast.checks).some((filter) => representationOf(filter)?.id === "effect/schema/isInt")

const literalError = (members: ReadonlyArray<SchemaAST.AST>): Violation => {
  const expected = quotedList(members.map((member) => member._tag === "Literal" ? String(member.literal) : member._tag))
  return { type: "literal_error", message: `Input should be ${expected}`, context: { expected } }
}

/** The schema of the input, where `ast` is that of the output. */
export const sentAs = (ast: SchemaAST.AST): SchemaAST.AST =>
  ast.encoding === undefined ? ast : sentAs(ast.encoding[0].to)

/** The message for a value of none of the types of `ast`. */
export const wrongType = (ast: SchemaAST.AST): Violation => {
  const members = membersOf(ast).map(sentAs)
  const [first] = members
  if (first === undefined) return ofType("none")
  const named = first.annotations?.["typeViolation"]
  if (typeof named === "string") return ofType(named)
  if (typeof named === "function") return named()
  switch (first._tag) {
    case "Literal":
      return literalError(members)
    case "String":
      return ofType(TYPES.has(String(first.annotations?.["format"])) ? String(first.annotations?.["format"]) : "string")
    case "Number":
      return ofType(isInteger(first) ? "int" : "float")
    case "Boolean":
      return ofType("boolean")
    case "Arrays":
      return ofType("array")
    case "Objects":
      return ofType(first.indexSignatures.length > 0 ? "map" : "model_attributes_type")
    // Any JSON is accepted, except a number that is not finite.
    default:
      return ofType("finite")
  }
}

const plural = (count: unknown): string => count === 1 ? "" : "s"

const atLeast = (ge: unknown): Violation => ({
  type: "greater_than_equal",
  message: `Input should be greater than or equal to ${ge}`,
  context: { ge }
})

const atMost = (le: unknown): Violation => ({
  type: "less_than_equal",
  message: `Input should be less than or equal to ${le}`,
  context: { le }
})

const tooShort = (field: string, minimum: unknown, actual: number): Violation => ({
  type: "too_short",
  message: `${field} should have at least ${minimum} item${plural(minimum)} after validation, not ${actual}`,
  context: { field_type: field, min_length: minimum, actual_length: actual }
})

const textTooShort = (minimum: unknown): Violation => ({
  type: "string_too_short",
  message: `String should have at least ${minimum} character${plural(minimum)}`,
  context: { min_length: minimum }
})

/** Integers beyond 2^53 are integers, and then too large or too small. */
const notAnInteger = (value: unknown, ast: SchemaAST.AST | undefined): Violation => {
  if (!Number.isFinite(value)) return ofType("finite")
  if (Number.isInteger(value)) {
    for (const filter of filtersOf(ast?.checks)) {
      const bound = representationOf(filter)?.payload?.[Number(value) > 0 ? "maximum" : "minimum"]
      if (bound !== undefined) return Number(value) > 0 ? atMost(bound) : atLeast(bound)
    }
    // Without a bound on that side, the bounds of numbers apply.
    return Number(value) > 0 ? atMost(Number.MAX_SAFE_INTEGER) : atLeast(Number.MIN_SAFE_INTEGER)
  }
  return plain("int_from_float", "Input should be a valid integer, got a number with a fractional part")
}

/** The message for a failed check of a schema. */
export const brokenCheck = (
  filter: SchemaAST.Filter<unknown>,
  value: unknown,
  ast: SchemaAST.AST | undefined
): ReadonlyArray<Violation> => {
  const violationsOf = filter.annotations?.[VIOLATIONS]
  if (typeof violationsOf === "function") return violationsOf(value)
  const { id, payload } = representationOf(filter) ?? { id: "", payload: null }
  switch (id) {
    case "effect/schema/isInt":
      return [notAnInteger(value, ast)]
    case "effect/schema/isFinite":
      return [ofType("finite")]
    case "effect/schema/isBetween":
      return [
        Number(value) < Number(payload?.["minimum"]) ? atLeast(payload?.["minimum"]) : atMost(payload?.["maximum"])
      ]
    case "effect/schema/isGreaterThanOrEqualTo":
      return [atLeast(payload?.["minimum"])]
    case "effect/schema/isMinCodePoints":
      return [textTooShort(payload?.["minCodePoints"])]
    case "effect/schema/isMaxCodePoints": {
      const maximum = payload?.["maxCodePoints"]
      const message = `String should have at most ${maximum} character${plural(maximum)}`
      return [{ type: "string_too_long", message, context: { max_length: maximum } }]
    }
    case "effect/schema/isPattern": {
      const pattern = payload?.["source"]
      const message = `String should match pattern '${pattern}'`
      return [{ type: "string_pattern_mismatch", message, context: { pattern } }]
    }
    case "effect/schema/isMinLength":
      if (typeof value === "string") return [textTooShort(payload?.["minLength"])]
      return [tooShort("List", payload?.["minLength"], Array.isArray(value) ? value.length : 0)]
    default:
      return [plain("value_error", `Value error, ${filter.annotations?.["expected"] ?? "not a valid value"}`)]
  }
}
