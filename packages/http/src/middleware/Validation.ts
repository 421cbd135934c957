/**
 * Decodes path, query and body of a request with the schemas of its endpoint, and tells everything that is wrong with
 * any of them at once. Every operation is decoded here and nowhere else.
 */
import type { KindCatalogue } from "@tributary/core/model/KindCatalogue"
import { Context, Effect, Result, type Schema, type SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { PayloadByKinds } from "../api/Access.ts"
import { ValidationError } from "../api/ErrorBody.ts"
import { fileFormJudge } from "../body/FileForm.ts"
import { readForm } from "../body/FormBody.ts"
import { JSON_BODY, parseBody } from "../body/JsonBody.ts"
import { alteredProblem } from "../body/JsonIntegers.ts"
import { LENIENT, part, STRICT } from "../body/Part.ts"
import { MAX_PROBLEMS, type Problem } from "../body/Problem.ts"
import { readBytes } from "../body/RequestBytes.ts"

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
  // What is passed over may be anything.
  const isKeptWhole = options.onExcessProperty !== "ignore"
  return (bytes: Uint8Array): Result.Result<unknown, ReadonlyArray<Problem>> => {
    const parsed = parseBody(bytes)
    if (Result.isFailure(parsed)) return Result.fail([parsed.failure])
    const { text, value } = parsed.success
    if (isNothing(value)) return optional ? Result.succeed(null) : Result.fail([MISSING_BODY])
    const judged = decode(value)
    const altered = Result.isSuccess(judged) && isKeptWhole ? alteredProblem(text, ["body"]) : undefined
    return altered === undefined ? judged : Result.fail([altered])
  }
}

const bodyOptions = (endpoint: HttpApiEndpoint.Top): SchemaAST.ParseOptions =>
  Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions) ?? STRICT

type Judged = Result.Result<unknown, ReadonlyArray<Problem>>

const schemaOf = (endpoint: HttpApiEndpoint.Top, declared: Schema.Top, kinds: KindCatalogue): Schema.Top =>
  Context.get(endpoint.annotations, PayloadByKinds)?.(kinds) ?? declared

/** Reading a body may end a request by itself; what was read is judged together with path and query. */
const bodyReader = (endpoint: HttpApiEndpoint.Top, kinds: KindCatalogue) => {
  const [payload] = endpoint.payload.values()
  if (payload === undefined) return undefined
  if (payload.encoding._tag === "Multipart") {
    const judgeForm = fileFormJudge(kinds)
    return (request: HttpServerRequest) => Effect.map(readForm(request), judgeForm)
  }
  const judge = bodyPart(schemaOf(endpoint, payload.schemas[0], kinds), bodyOptions(endpoint))
  return (request: HttpServerRequest) => Effect.map(readBytes(request, JSON_BODY), judge)
}

/** Makes the decoder of an endpoint's requests. */
export const decoderOf = (endpoint: HttpApiEndpoint.Top, kinds: KindCatalogue) => {
  const params = endpoint.params && part(endpoint.params, ["path"], LENIENT)
  const query = endpoint.query && part(endpoint.query, ["query"], LENIENT)
  const readBody = bodyReader(endpoint, kinds)

  const decode = (path: unknown, search: Query, body: Judged | undefined): Effect.Effect<Decoded, ValidationError> => {
    const problems: Array<Problem> = []
    const take = (judged: Judged | undefined): unknown => {
      if (judged === undefined) return undefined
      if (Result.isSuccess(judged)) return judged.success
      for (const problem of judged.failure) if (problems.length < MAX_PROBLEMS) problems.push(problem)
      return undefined
    }
    const decoded = {
      params: take(params?.(path)),
      query: take(query?.(lastOfEach(search))),
      payload: take(body)
    }
    return problems.length === 0 ? Effect.succeed(decoded) : Effect.fail(new ValidationError({ detail: problems }))
  }

  return (request: HttpServerRequest, path: unknown, search: Query) =>
    readBody === undefined
      ? decode(path, search, undefined)
      : Effect.flatMap(readBody(request), (body) => decode(path, search, body))
}
