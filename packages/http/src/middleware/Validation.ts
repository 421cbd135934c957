/**
 * Decodes path, query and body of a request with the schemas of its endpoint, and reports all problems at once, with those
 * of its headers. Every operation is decoded here.
 */
import type { KindCatalogue } from "@tributary/core/model/KindCatalogue"
import { Context, Effect, Result, type Schema, type SchemaAST } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { PayloadByKinds } from "../api/Access.ts"
import { BodyLimit } from "../api/BodyLimit.ts"
import { PayloadTooLargeError, type UnsupportedMediaTypeError, ValidationError } from "../api/ErrorBody.ts"
import { fileFormValidator } from "../body/FileForm.ts"
import { type Form, readForm } from "../body/FormBody.ts"
import { JSON_BODY, parseBody } from "../body/JsonBody.ts"
import { inItems } from "../body/ItemParts.ts"
import { alteredProblem } from "../body/JsonNumbers.ts"
import { LENIENT, part, STRICT } from "@tributary/core/validation/Part"
import { MAX_PROBLEMS, type Problem } from "@tributary/core/validation/Problem"
import { readBytes, SMALL } from "../body/RequestBytes.ts"
import { headerCheckOf } from "./StreamHeaders.ts"
import { runGenerator } from "@tributary/core/runGenerator"
import { inSlices } from "@tributary/core/Slices"

export interface Decoded {
  readonly params: unknown
  readonly query: unknown
  readonly payload: unknown
}

export type Query = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

// The last of repeated parameters counts.
const lastOfEach = (query: Query): Readonly<Record<string, string | undefined>> => {
  const values: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(query)) {
    if (name !== "__proto__") values[name] = typeof value === "object" ? value.at(-1) : value
  }
  return values
}

const MISSING_BODY: Problem = { type: "missing", loc: ["body"], msg: "Field required", input: null }

/** No body and the body `null` mean the same. */
const isNothing = (value: unknown): boolean => value === undefined || value === null

const acceptsNothing = (schema: Schema.Top): boolean =>
  schema.ast._tag === "Union" && schema.ast.types.some(({ _tag }) => _tag === "Null")

type Validated = Result.Result<unknown, ReadonlyArray<Problem>>

/** Checks the bounds before the schema. Pauses at each `yield`. */
type Validating = Generator<void, Validated | PayloadTooLargeError>

/** Validates the bytes of a body. */
export const bodyPart = (schema: Schema.Top, options: SchemaAST.ParseOptions) => {
  const decode = inItems(schema, part(schema, ["body"], options))
  const optional = acceptsNothing(schema)
  // Ignored fields may be anything.
  const isKeptWhole = options.onExcessProperty !== "ignore"
  return function*(bytes: Uint8Array): Validating {
    const parsed = yield* parseBody(bytes)
    if (Result.isFailure(parsed)) {
      return parsed.failure instanceof PayloadTooLargeError ? parsed.failure : Result.fail([parsed.failure])
    }
    const { altered, isLong, value } = parsed.success
    if (isNothing(value)) return optional ? Result.succeed(null) : Result.fail([MISSING_BODY])
    const validated = isLong ? yield* decode.inItems(value) : decode.whole(value)
    const place = Result.isSuccess(validated) && isKeptWhole ? altered : undefined
    return place === undefined ? validated : Result.fail([alteredProblem(["body", ...place])])
  }
}

const bodyOptions = (endpoint: HttpApiEndpoint.Top): SchemaAST.ParseOptions =>
  Context.getOrUndefined(endpoint.annotations, HttpApi.PayloadParseOptions) ?? STRICT

const schemaOf = (endpoint: HttpApiEndpoint.Top, declared: Schema.Top, kinds: KindCatalogue): Schema.Top =>
  Context.get(endpoint.annotations, PayloadByKinds)?.(kinds) ?? declared

/** Reads a request and validates it in two steps, because reading takes memory and validating takes time. */
interface Body<Raw = unknown> {
  readonly read: (
    request: HttpServerRequest
  ) => Effect.Effect<Raw, PayloadTooLargeError | UnsupportedMediaTypeError>
  readonly validate: (raw: Raw) => Effect.Effect<Validated, PayloadTooLargeError>
}

const settled = (validated: Validated | PayloadTooLargeError): Effect.Effect<Validated, PayloadTooLargeError> =>
  validated instanceof PayloadTooLargeError ? Effect.fail(validated) : Effect.succeed(validated)

const bodyOf = (endpoint: HttpApiEndpoint.Top, kinds: KindCatalogue): Body | undefined => {
  const [payload] = endpoint.payload.values()
  if (payload === undefined) return undefined
  const limit = Context.get(endpoint.annotations, BodyLimit)
  if (payload.encoding._tag === "Multipart") {
    const validateForm = fileFormValidator(kinds)
    const form: Body<Form> = {
      read: (request) => readForm(request, limit),
      validate: (form) => Effect.sync(() => validateForm(form))
    }
    return form as Body
  }
  const validate = bodyPart(schemaOf(endpoint, payload.schemas[0], kinds), bodyOptions(endpoint))
  const json: Body<Uint8Array> = {
    read: (request) => readBytes(request, JSON_BODY, limit),
    validate: (bytes) =>
      bytes.length <= SMALL
        ? settled(runGenerator(validate(bytes)))
        : Effect.flatMap(inSlices(validate(bytes)), settled)
  }
  return json as Body
}

const NOTHING: Validated = Result.succeed(undefined)

const NO_BODY: Body = { read: () => Effect.undefined, validate: () => Effect.succeed(NOTHING) }

/** The decoder of an endpoint's requests, in two steps: read the body, then validate everything. */
export const decoderOf = (endpoint: HttpApiEndpoint.Top, kinds: KindCatalogue) => {
  const params = endpoint.params && part(endpoint.params, ["path"], LENIENT)
  const query = endpoint.query && part(endpoint.query, ["query"], LENIENT)
  const checkHeaders = headerCheckOf(endpoint)
  const body = bodyOf(endpoint, kinds)

  const decode = (
    path: unknown,
    search: Query,
    request: HttpServerRequest,
    payload: Validated
  ): Effect.Effect<Decoded, ValidationError> => {
    const inPath = params?.(path) ?? NOTHING
    const inQuery = query?.(lastOfEach(search)) ?? NOTHING
    const inHeaders = checkHeaders?.(request) ?? NOTHING
    if (
      Result.isSuccess(inPath) && Result.isSuccess(inQuery) && Result.isSuccess(inHeaders) && Result.isSuccess(payload)
    ) {
      return Effect.succeed({ params: inPath.success, query: inQuery.success, payload: payload.success })
    }
    const problems = [inPath, inQuery, inHeaders, payload].flatMap((part) => Result.isFailure(part) ? part.failure : [])
    return Effect.fail(new ValidationError({ detail: problems.slice(0, MAX_PROBLEMS) }))
  }

  const { validate, read } = body ?? NO_BODY
  return {
    takesBody: body !== undefined,
    read,
    validate: (raw: unknown, path: unknown, search: Query, request: HttpServerRequest) =>
      Effect.flatMapEager(validate(raw), (validated) => decode(path, search, request, validated))
  }
}
