/** The messages for values of the wrong type: Pydantic's, as in the API. */
import { quotedList } from "../model/Kind.ts"
import type { Violation } from "../model/Violation.ts"
import type { SchemaAST } from "effect"
import { filtersOf, representationOf } from "./Bounds.ts"

const plain = (type: string, message: string): Violation => ({ type, message })

export const NOT_FINITE = plain("finite_number", "Input should be a finite number")

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
  ["finite", NOT_FINITE],
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
      return NOT_FINITE
  }
}
