/**
 * Decodes path, query and body of a request with the schemas of its endpoint, and tells everything that is wrong with
 * any of them at once. Every operation is decoded here and nowhere else.
 *
 * A request is judged twice at most: first for whether it is right, which is fast and nearly always the end of it, and
 * again for all that is wrong.
 */
import { Context, Effect, Result, type Schema, type SchemaAST, SchemaParser } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { ValidationError } from "../api/ErrorBody.ts"
import { boundsOf, type Findings } from "./Bounds.ts"
import { problemsOf } from "./Issues.ts"
import { parseBody, readBody } from "./JsonBody.ts"
import { type Location, MAX_PROBLEMS, type Problem } from "./Problem.ts"

/** One part of a request, decoded, or everything that is wrong with it. */
type Part = (value: unknown) => Result.Result<unknown, ReadonlyArray<Problem>>

const STRICT: SchemaAST.ParseOptions = { onExcessProperty: "error" }
const LENIENT: SchemaAST.ParseOptions = { onExcessProperty: "ignore" }

/** Decodes one part of a request, which stands at `root`. */
export const part = (schema: Schema.Top, root: Location, options: SchemaAST.ParseOptions): Part => {
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

/** A decoded request. */
export interface Decoded {
  readonly params: unknown
  readonly query: unknown
  readonly payload: unknown
}

export type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

// Of a repeated parameter the last one counts.
const lastOfEach = (query: Query): Readonly<Record<string, string | undefined>> => {
  const values: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(query)) {
    if (name !== "__proto__") values[name] = typeof value === "object" ? value.at(-1) : value
  }
  return values
}

const MISSING_BODY: Problem = { type: "missing", loc: ["body"], msg: "Field required", input: null }

/** No body and the body `null` say the same: nothing was sent. */
const isNothing = (value: unknown): boolean => value === undefined || value === null

const acceptsNothing = (schema: Schema.Top): boolean =>
  schema.ast._tag === "Union" && schema.ast.types.some(({ _tag }) => _tag === "Null")

/** The decoder of a body, from its bytes. */
export const bodyPart = (schema: Schema.Top, options: SchemaAST.ParseOptions) => {
  const decode = part(schema, ["body"], options)
  const optional = acceptsNothing(schema)
  return (bytes: Uint8Array): Result.Result<unknown, ReadonlyArray<Problem>> => {
    const parsed = parseBody(bytes)
    if (Result.isFailure(parsed)) return Result.fail([parsed.failure])
    if (!isNothing(parsed.success)) return decode(parsed.success)
    return optional ? Result.succeed(null) : Result.fail([MISSING_BODY])
  }
}

const payloadOf = (endpoint: HttpApiEndpoint.Top): Schema.Top | undefined => {
  const [first] = endpoint.payload.values()
  return first?.schemas[0]
}

const bodyOptions = (endpoint: HttpApiEndpoint.Top): SchemaAST.ParseOptions =>
  Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions) ?? STRICT

/** Makes the decoder of an endpoint's requests. */
export const decoderOf = (endpoint: HttpApiEndpoint.Top) => {
  const params = endpoint.params && part(endpoint.params, ["path"], LENIENT)
  const query = endpoint.query && part(endpoint.query, ["query"], LENIENT)
  const schema = payloadOf(endpoint)
  const payload = schema && bodyPart(schema, bodyOptions(endpoint))

  const decode = (
    path: unknown,
    search: Query,
    bytes: Uint8Array | undefined
  ): Effect.Effect<Decoded, ValidationError> => {
    const problems: Array<Problem> = []
    const take = (result: Result.Result<unknown, ReadonlyArray<Problem>> | undefined): unknown => {
      if (result === undefined) return undefined
      if (Result.isSuccess(result)) return result.success
      for (const problem of result.failure) if (problems.length < MAX_PROBLEMS) problems.push(problem)
      return undefined
    }
    const decoded = {
      params: take(params?.(path)),
      query: take(query?.(lastOfEach(search))),
      payload: take(bytes && payload?.(bytes))
    }
    return problems.length === 0 ? Effect.succeed(decoded) : Effect.fail(new ValidationError({ detail: problems }))
  }

  return (request: HttpServerRequest, path: unknown, search: Query) =>
    payload === undefined
      ? decode(path, search, undefined)
      : Effect.flatMap(readBody(request), (bytes) => decode(path, search, bytes))
}
