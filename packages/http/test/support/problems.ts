/** Judging bodies as the service does, and saying what is expected of it. */
import { Result, type Schema, type SchemaAST } from "effect"
import { PayloadTooLargeError } from "../../src/api/ErrorBody.ts"
import { atOnce } from "@tributary/core/atOnce"
import { bodyPart } from "../../src/middleware/Validation.ts"

export type Problem = Readonly<Record<string, unknown>>

export const judge = (
  schema: Schema.Top,
  body: string,
  options: SchemaAST.ParseOptions = { onExcessProperty: "error" }
) => {
  const result = atOnce(bodyPart(schema, options)(new TextEncoder().encode(body)))
  if (result instanceof PayloadTooLargeError) throw result
  return Result.isSuccess(result) ? [] : result.failure as ReadonlyArray<unknown> as ReadonlyArray<Problem>
}

export const lenient = { onExcessProperty: "ignore" } as const

export const problem = (
  loc: ReadonlyArray<unknown>,
  type: string,
  msg: string,
  input: unknown,
  ctx?: unknown
): Problem => ({
  type,
  loc,
  msg,
  ...(input === LEFT_OUT ? {} : { input }),
  ...(ctx === undefined ? {} : { ctx })
})

export const LEFT_OUT = Symbol("left out")

export const missing = (loc: ReadonlyArray<unknown>, parent: unknown) =>
  problem(loc, "missing", "Field required", parent)

export const OBJECT = "Input should be a valid dictionary or object to extract fields from"
export const EXTRA = "Extra inputs are not permitted"
