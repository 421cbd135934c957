/**
 * Judges one part of a request with its schema: at most twice, first for whether it is right, which is fast and nearly
 * always the end of it, and again for all that is wrong.
 */
import { UNTOLD } from "@tributary/core/model/Violation"
import { identity, Result, type Schema, type SchemaAST, SchemaParser, Struct } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { boundsOf, type Findings } from "./Bounds.ts"
import { problemsOf } from "./Issues.ts"
import type { Location, Problem } from "./Problem.ts"
import { membersOf } from "./Wording.ts"

/** One part of a request, decoded, or everything that is wrong with it. */
export type Part = (value: unknown) => Result.Result<unknown, ReadonlyArray<Problem>>

/** Fields that no schema names are refused. */
export const STRICT: SchemaAST.ParseOptions = { onExcessProperty: "error" }
/** They are passed over. */
export const LENIENT: SchemaAST.ParseOptions = { onExcessProperty: "ignore" }

/**
 * Takes what was sent out of the problems of a part with a field that is not reported back: all but what stands in its other
 * fields, since what has no place may belong there.
 */
const told = (ast: SchemaAST.AST, root: Location) => {
  const fields = ast._tag === "Objects" ? ast.propertySignatures : []
  const others = fields.filter(({ type }) => membersOf(type).every(({ annotations }) => annotations?.[UNTOLD] !== true))
    .map(({ name }): Location[number] => String(name))
  if (others.length === fields.length) return identity
  const isTold = ({ loc, type }: Problem) => {
    const field = loc[root.length]
    return field !== undefined && others.includes(field) && (type !== "missing" || loc.length > root.length + 1)
  }
  return (problems: ReadonlyArray<Problem>): ReadonlyArray<Problem> =>
    problems.map((problem) => isTold(problem) ? problem : Struct.omit(problem, ["input"]))
}

/** Decodes one part of a request, which stands at `root`. */
export const part = (schema: Schema.Top, root: Location, options: SchemaAST.ParseOptions): Part => {
  // Where no code may be made at run time, it is interpreted.
  SchemaJITCompiler.enable(schema.ast)
  // Schemas of the wire need no services, which their general type does not say.
  const decode = SchemaParser.decodeUnknownResult(schema as Schema.Codec<unknown>, options)
  const bounds = boundsOf(schema.ast)
  const tell = told(schema.ast, root)
  const all = { ...options, errors: "all" } as const
  return (sent) => {
    const findings: Findings = { overlong: new Map(), unknown: 0 }
    const judged = bounds === undefined ? sent : bounds(sent, root, findings)
    if (findings.overlong.size === 0) {
      const decoded = decode(judged)
      if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    }
    return Result.mapError(decode(judged, all), (issue) => tell(problemsOf(issue, root, sent, judged, findings)))
  }
}
