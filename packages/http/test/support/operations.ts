/** Every operation as its definition declares it: its requests, and a check of its answers. */
import { Context, Result, Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { RequiredScope } from "../../src/api/Access.ts"
import { BodyLimit } from "../../src/api/BodyLimit.ts"
import { Api } from "../../src/api/Api.ts"
import { NotFound } from "../../src/api/ErrorBody.ts"
import { StreamedEvents } from "../../src/api/StreamedEvents.ts"
import { OperatorApi } from "../../src/api/OperatorApi.ts"
import { EXAMPLES } from "../../src/openapi/Examples.ts"
import { OPERATOR_EXAMPLES } from "../../src/openapi/OperatorExamples.ts"
import type { Answer } from "./wire.ts"

export interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operated: boolean
  /** A key needs one of these. */
  readonly scopes: ReadonlyArray<string>
  readonly takesForm: boolean
  readonly takesBody: boolean
  /** The bytes of the largest body that it takes. */
  readonly bodyLimit: number
  readonly streams: boolean
  /** A body that is right. */
  readonly example: unknown
  /** The deviation of an answer from its documentation, or nothing. */
  readonly complaint: (answer: Pick<Answer, "body" | "headers" | "status">) => string | undefined
}

type Schemas = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

const isOf = (schema: Schema.Top) => {
  const decode = Schema.decodeUnknownResult(schema as Schema.Codec<unknown>)
  return (body: unknown): boolean => Result.isSuccess(decode(body))
}

const validatorsOf = (schemas: Schemas, hasParameters: boolean) =>
  new Map([...schemas].map(([status, declared]) => [
    status,
    [
      ...declared,
      // A path without parameters does not belong to the operation.
      ...(status === 404 && hasParameters ? [NotFound] : [])
    ].map(isOf)
  ]))

const complaintsOf = (successes: Schemas, errors: Schemas, hasParameters: boolean): Operation["complaint"] => {
  const validators = validatorsOf(new Map([...successes, ...errors]), hasParameters)
  return ({ body, headers, status }) => {
    if (!headers.has("x-request-id")) return "no request id"
    const declared = validators.get(status)
    if (declared === undefined) return `status ${status} is not declared`
    if (status < 300 && headers.get("content-type") === "text/event-stream") return undefined
    return declared.some((validate) => validate(body)) ? undefined : "the body is none that is declared"
  }
}

const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  operated: boolean,
  examples: Readonly<Record<string, { readonly request?: unknown }>>
): ReadonlyArray<Operation> => {
  const operations: Array<Operation> = []
  const encodingOf = ({ payload }: HttpApiEndpoint.Top) => [...payload.values()][0]?.encoding._tag
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, successes }) => {
      const { annotations, identifier, method, path } = endpoint
      operations.push({
        name: identifier,
        method,
        path,
        operated,
        scopes: Context.get(annotations, RequiredScope),
        takesForm: encodingOf(endpoint) === "Multipart",
        takesBody: encodingOf(endpoint) !== undefined,
        bodyLimit: Context.get(annotations, BodyLimit),
        streams: Context.get(annotations, StreamedEvents) !== null,
        example: examples[identifier]?.request,
        complaint: complaintsOf(successes, errors, path.includes(":"))
      })
    }
  })
  return operations
}

export const PUBLIC = operationsOf(Api, false, EXAMPLES)
export const OPERATED = operationsOf(OperatorApi, true, OPERATOR_EXAMPLES)

/** A form as text, so that it can be torn anywhere. */
export const formText = (fields: Readonly<Record<string, string>>, file: string): string =>
  Object.entries(fields).map(([name, value]) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  ).join("") +
  `--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n${file}\r\n--b--\r\n`

export const FORM_TYPE = "multipart/form-data; boundary=b"
