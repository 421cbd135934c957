/**
 * Judges one part of a request with its schema: at most twice, first for whether it is right, which is fast and nearly
 * always the end of it, and again for all that is wrong.
 */
import { Result, type Schema, type SchemaAST, SchemaParser } from "effect"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import { boundsOf, type Findings } from "./Bounds.ts"
import { problemsOf } from "./Issues.ts"
import type { Location, Problem } from "./Problem.ts"

/** One part of a request, decoded, or everything that is wrong with it. */
export type Part = (value: unknown) => Result.Result<unknown, ReadonlyArray<Problem>>

/** Fields that no schema names are refused. */
export const STRICT: SchemaAST.ParseOptions = { onExcessProperty: "error" }
/** They are passed over. */
export const LENIENT: SchemaAST.ParseOptions = { onExcessProperty: "ignore" }

/** Decodes one part of a request, which stands at `root`. */
export const part = (schema: Schema.Top, root: Location, options: SchemaAST.ParseOptions): Part => {
  // Where no code may be made at run time, it is interpreted.
  SchemaJITCompiler.enable(schema.ast)
  // Schemas of the wire need no services, which their general type does not say.
  const decode = SchemaParser.decodeUnknownResult(schema as Schema.Codec<unknown>, options)
  const bounds = boundsOf(schema.ast)
  const all = { ...options, errors: "all" } as const
  return (sent) => {
    const findings: Findings = { overlong: new Map(), unknown: 0 }
    const judged = bounds === undefined ? sent : bounds(sent, root, findings)
    if (findings.overlong.size === 0) {
      const decoded = decode(judged)
      if (Result.isSuccess(decoded)) return Result.succeed(decoded.success)
    }
    return Result.mapError(decode(judged, all), (issue) => problemsOf(issue, root, sent, judged, findings))
  }
}
