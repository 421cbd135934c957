/**
 * How a broken rule is reported to the caller. The messages are Pydantic's, because the API's 422 has them. A rule
 * states its own message; the wire format only adds the location.
 */
import { Schema } from "effect"

export interface Violation {
  readonly type: string
  readonly message: string
  readonly context?: Readonly<Record<string, unknown>>
  /** The path below the checked value; the value itself if absent. */
  readonly path?: ReadonlyArray<string | number>
}

/** A field that the definition does not have. */
export const UNEXPECTED: Violation = { type: "extra_forbidden", message: "Extra inputs are not permitted" }

/** A field that the definition requires. */
export const MISSING: Violation = { type: "missing", message: "Field required" }

/** The annotation of a check that has its `violationsOf`, for the error formatter. */
export const VIOLATIONS = "violations"

/** The annotation of a field whose input no error contains. */
export const REDACTED = "redacted"

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * A check that fails if `violationsOf` finds any, and ends the validation of this value. `documented` is the part of the
 * rule that JSON Schema can express; a function if it is known only later.
 */
export const violated = <T>(
  violationsOf: (input: T) => ReadonlyArray<Violation>,
  documented?: JsonSchema | (() => JsonSchema)
) =>
  Schema.makeFilter<T>(
    (input) => violationsOf(input).map(({ message, path = [] }) => ({ path, issue: message })),
    {
      [VIOLATIONS]: violationsOf,
      ...(documented && { toJsonSchema: () => typeof documented === "function" ? documented() : documented })
    },
    true
  )

/** The same for a rule with at most one violation at a time. */
export const violatedBy = <T>(
  violationOf: (input: T) => Violation | undefined,
  documented?: JsonSchema | (() => JsonSchema)
) =>
  violated<T>((input) => {
    const violation = violationOf(input)
    return violation === undefined ? [] : [violation]
  }, documented)
