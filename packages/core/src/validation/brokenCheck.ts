/** The messages for failed checks: Pydantic's, as in the API. */
import { type Violation, VIOLATIONS } from "../model/Violation.ts"
import type { SchemaAST } from "effect"
import { filtersOf, representationOf } from "./Bounds.ts"
import { NOT_FINITE } from "./wrongType.ts"

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
  if (!Number.isFinite(value)) return NOT_FINITE
  if (Number.isInteger(value)) {
    for (const filter of filtersOf(ast?.checks)) {
      const bound = representationOf(filter)?.payload?.[Number(value) > 0 ? "maximum" : "minimum"]
      if (bound !== undefined) return Number(value) > 0 ? atMost(bound) : atLeast(bound)
    }
    // Without a bound on that side, the bounds of numbers apply.
    return Number(value) > 0 ? atMost(Number.MAX_SAFE_INTEGER) : atLeast(Number.MIN_SAFE_INTEGER)
  }
  return { type: "int_from_float", message: "Input should be a valid integer, got a number with a fractional part" }
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
      return [NOT_FINITE]
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
      return [{
        type: "value_error",
        message: `Value error, ${filter.annotations?.["expected"] ?? "not a valid value"}`
      }]
  }
}
