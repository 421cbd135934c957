/**
 * Validates one part of a request with its schema: first quickly, which nearly always succeeds, and otherwise again for
 * all problems.
 */
import { REDACTED } from "../model/Violation.ts"
import { identity, Result, type Schema, type SchemaAST, SchemaParser, Struct } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { boundsOf, type Findings } from "./Bounds.ts"
import { problemsOf } from "./Issues.ts"
import type { Location, Problem } from "./Problem.ts"
import { quickDecoder, REFUSED } from "./quickDecoder.ts"
import { membersOf } from "./wrongType.ts"

/** One decoded part of a request, or every problem with it. */
export type PartDecoder = (value: unknown) => Result.Result<unknown, ReadonlyArray<Problem>>

/** Unknown fields are refused. */
export const STRICT: SchemaAST.ParseOptions = { onExcessProperty: "error" }
/** Unknown fields are ignored. */
export const LENIENT: SchemaAST.ParseOptions = { onExcessProperty: "ignore" }

/**
 * Removes the input from the problems of a part with a secret field, except inside its other fields: input without a
 * location may be part of the secret.
 */
const redactor = (ast: SchemaAST.AST, root: Location) => {
  const fields = ast._tag === "Objects" ? ast.propertySignatures : []
  const others = fields.filter(({ type }) =>
    membersOf(type).every(({ annotations }) => annotations?.[REDACTED] !== true)
  )
    .map(({ name }): Location[number] => String(name))
  if (others.length === fields.length) return identity
  const mayEcho = ({ loc, type }: Problem) => {
    const field = loc[root.length]
    return field !== undefined && others.includes(field) && (type !== "missing" || loc.length > root.length + 1)
  }
  return (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
    problems.map((problem) => mayEcho(problem) ? problem : Struct.omit(problem, ["input"]))
}

/** Decodes one part of a request, located at `root`. Finds all problems, unless the options ask for the first. */
export const part = (schema: Schema.Top, root: Location, options: SchemaAST.ParseOptions): PartDecoder => {
  // Where code generation is forbidden, the schema is interpreted.
  SchemaJITCompiler.enable(schema.ast)
  // Wire schemas need no services, which their general type does not express.
  const decode = SchemaParser.decodeUnknownResult(schema as Schema.Codec<unknown>, options)
  const decodeQuickly = quickDecoder(schema.ast, options)
  const bounds = boundsOf(schema.ast)
  const redact = redactor(schema.ast, root)
  const thorough = { errors: "all", ...options } as const
  return (sent) => {
    const quickly = decodeQuickly === undefined ? REFUSED : decodeQuickly(sent)
    if (quickly !== REFUSED) return Result.succeed(quickly)
    const findings: Findings = { overlong: new Map(), unknown: 0 }
    const bounded = bounds === undefined ? sent : bounds(sent, root, findings)
    if (findings.overlong.size === 0) {
      const decoded = decode(bounded)
      if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    }
    return Result.mapError(
      decode(bounded, thorough),
      (issue) => redact(problemsOf(issue, root, sent, bounded, findings))
    )
  }
}
