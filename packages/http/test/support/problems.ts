/** Validates bodies as the service does, and builds the expected problems. */
import { Result, type Schema, type SchemaAST } from "effect"
import { PayloadTooLargeError } from "../../src/api/ErrorBody.ts"
import { runGenerator } from "@tributary/core/runGenerator"
import { bodyPart } from "../../src/middleware/Validation.ts"

export type Problem = Readonly<Record<string, unknown>>

export const problemsOf = (
  schema: Schema.Top,
  body: string,
  options: SchemaAST.ParseOptions = { onExcessProperty: "error" }
) => {
  const result = runGenerator(bodyPart(schema, options)(new TextEncoder().encode(body)))
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
