/**
 * How a broken rule of a request is told to the caller. The words are Pydantic's, because the published
 * interface answers a 422 in them; a rule states its own beside itself, and the wire only adds the place.
 */
import { Schema } from "effect"

export interface Violation {
  readonly type: string
  readonly message: string
  readonly context?: Readonly<Record<string, unknown>>
  /** Where below the judged value; the value itself when absent. */
  readonly path?: ReadonlyArray<string | number>
}

/** The key under which a check carries its `judge`, for the one who words the answer. */
export const VIOLATIONS = "violations"

/** The annotation of a field of which nothing that was sent is told back. */
export const UNTOLD = "untold"

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * A check that fails with the violations that `judge` finds, and ends the judging of this value. `documented` is as
 * much of the rule as JSON Schema can say; a function where that is known only when it is asked for.
 */
export const violated = <T>(
  judge: (input: T) => ReadonlyArray<Violation>,
  documented?: JsonSchema | (() => JsonSchema)
) =>
  Schema.makeFilter<T>(
    (input) => judge(input).map(({ message, path = [] }) => ({ path, issue: message })),
    {
      [VIOLATIONS]: judge,
      ...(documented && { toJsonSchema: () => typeof documented === "function" ? documented() : documented })
    },
    true
  )

/** The same for a rule that can be broken in one way at a time. */
export const violatedBy = <T>(
  judge: (input: T) => Violation | undefined,
  documented?: JsonSchema | (() => JsonSchema)
) =>
  violated<T>((input) => {
    const violation = judge(input)
    return violation === undefined ? [] : [violation]
  }, documented)
